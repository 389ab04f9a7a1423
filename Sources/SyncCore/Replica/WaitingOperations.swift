/// What operations that wait keep later ones from.
///
/// These are their items, the names that they leave or take, and the folders that they are about
/// to make: what has to do with any of it keeps its turn.
struct WaitingOperations {
    private var items: Set<ItemID> = []
    private var names: Set<TagSlot> = []

    /// Whether an operation has to wait behind them.
    func concern(_ body: Operation.Body, _ resolve: (ItemID) -> ItemID) -> Bool {
        guard !items.isEmpty else { return false }
        if let item = body.item, items.contains(resolve(item)) { return true }
        // Whatever waits may belong to the folder.
        switch body {
        case .removeFolder, .restoreFolder: return true
        case .create, .edit, .move, .write: break
        }
        guard let placement = body.placement else { return false }
        let name = TagSlot(placement, resolve)
        return items.contains(name.folder) || names.contains(name)
    }

    mutating func insert(
        _ body: Operation.Body, leaving place: Placement?, _ resolve: (ItemID) -> ItemID
    ) {
        guard let item = body.item else { return }
        items.insert(resolve(item))
        if let place { names.insert(TagSlot(place, resolve)) }
        if let placement = body.placement { names.insert(TagSlot(placement, resolve)) }
    }
}

extension Operation.Body {
    /// The place that it asks for.
    var placement: Placement? {
        switch self {
        case .create(_, _, let placement, _), .move(_, let placement): placement
        case .edit, .removeFolder, .restoreFolder, .write: nil
        }
    }
}

extension TagSlot {
    init(_ placement: Placement, _ resolve: (ItemID) -> ItemID) {
        self.init(folder: resolve(placement.folder), tag: placement.tag)
    }
}
