/// The disk as it was last seen.
struct LocalTree: Sendable {
    /// The folders that were listed since the start, with their names.
    var folders: TreeTable<ItemID, TreeTable<Name, DiskEntry>> = [:]
    /// Folders whose list is on its way.
    var listing: Set<ItemID> = []
    /// Where each file was seen, under names that are not ignored.
    private var places = DenseTable<FileIdentity, Places>()
    /// Where it was seen under a name that is ignored, as an editor's backup is.
    private var asides: [FileIdentity: Slot] = [:]
    /// Of a file with several names, the stamp that all of them were last looked at for.
    private var lookedFor: [FileIdentity: FileStamp] = [:]
    /// Names that are looked at for another name's sake, since when.
    private var lookedAt: [Slot: Instant] = [:]

    subscript(slot: Slot) -> DiskEntry? { folders[slot.folder]?[slot.name] }

    func isListed(_ folder: ItemID) -> Bool { folders[folder] != nil }

    mutating func set(_ entry: DiskEntry?, at slot: Slot) {
        if let old = folders[slot.folder]?[slot.name] {
            if old.stamp.identity == entry?.stamp.identity {
                folders[slot.folder]?[slot.name] = entry
                return
            }
            forget(old.stamp.identity, at: slot)
        }
        folders[slot.folder]?[slot.name] = entry
        guard let entry, folders[slot.folder] != nil else { return }
        if IgnoredNames.contains(slot.name) {
            asides[entry.stamp.identity] = slot
            return
        }
        if var others = places[entry.stamp.identity] {
            others.more.append(slot)
            places[entry.stamp.identity] = others
        } else {
            places[entry.stamp.identity] = Places(first: slot)
        }
    }

    /// The folder is gone from where it was; what was in it is seen nowhere.
    mutating func drop(_ folder: ItemID) {
        listing.remove(folder)
        guard let names = folders.removeValue(forKey: folder) else { return }
        for (name, entry) in names {
            forget(entry.stamp.identity, at: Slot(folder: folder, name: name))
        }
    }

    /// A folder's id changed: it was taken into another one.
    mutating func rename(_ folder: ItemID, to other: ItemID) {
        guard let names = folders.removeValue(forKey: folder) else { return }
        folders[other] = [:]
        for (name, entry) in names.sorted(by: { $0.key < $1.key }) {
            forget(entry.stamp.identity, at: Slot(folder: folder, name: name))
            set(entry, at: Slot(folder: other, name: name))
        }
    }

    /// Where the file was seen, in the order of seeing it there.
    func places(of identity: FileIdentity) -> [Slot] { places[identity]?.all ?? [] }

    /// Where it was seen first, of where it is now.
    func firstPlace(of identity: FileIdentity) -> Slot? { places[identity]?.first }

    /// A place of the file other than one.
    func place(of identity: FileIdentity, besides slot: Slot) -> Slot? {
        places[identity]?.all.first { $0 != slot }
    }

    /// Whether the file stands in the folder under a name that is ignored.
    func isAside(_ identity: FileIdentity, in folder: ItemID) -> Bool {
        asides[identity]?.folder == folder
    }

    private mutating func forget(_ identity: FileIdentity, at slot: Slot) {
        if asides[identity] == slot { asides[identity] = nil }
        guard let list = places[identity]?.all.filter({ $0 != slot }) else { return }
        places[identity] = Places(list)
        if list.isEmpty { lookedFor[identity] = nil }
        endLook(slot)
    }

    /// Whether no look at the name is on its way; from now on one is.
    ///
    /// One whose answer does not come, since its folder is gone for the moment, is given up.
    mutating func beginsLook(_ slot: Slot, at now: Instant) -> Bool {
        if let begun = lookedAt[slot], now < begun.advanced(milliseconds: 1_000) { return false }
        lookedAt[slot] = now
        return true
    }

    mutating func endLook(_ slot: Slot) {
        if !lookedAt.isEmpty { lookedAt[slot] = nil }
    }

    /// Whether nobody has looked at the file's other names since it has this stamp; from now on
    /// somebody has.
    mutating func isNewForLinks(_ stamp: FileStamp) -> Bool {
        guard lookedFor[stamp.identity] != stamp else { return false }
        lookedFor[stamp.identity] = stamp
        return true
    }
}

/// The names of one file; nearly all have one.
private struct Places: Sendable {
    let first: Slot
    var more: [Slot] = []

    init(first: Slot) { self.first = first }

    /// Nil if there are none.
    init?(_ slots: [Slot]) {
        guard let first = slots.first else { return nil }
        self.first = first
        more = Array(slots.dropFirst())
    }

    var all: [Slot] { more.isEmpty ? [first] : [first] + more }
}

/// Names to be looked at, in the order of their first mention.
struct DirtySlots: Sendable {
    private(set) var since: [Slot: Instant] = [:]
    private var ready: [Slot] = []
    private var held: [(due: Instant, slot: Slot)] = []
    /// They wait until no list is on its way.
    private var unlisted: [Slot] = []

    var isEmpty: Bool { since.isEmpty }

    /// Gives back the room of what is empty.
    mutating func giveRoomBack() {
        if since.isEmpty { since = [:] }
        if ready.isEmpty { ready = [] }
        if held.isEmpty { held = [] }
        if unlisted.isEmpty { unlisted = [] }
    }

    mutating func insert(_ slot: Slot, at instant: Instant) {
        if since[slot] == nil { since[slot] = instant }
        ready.append(slot)
    }

    mutating func remove(_ slot: Slot) { since[slot] = nil }

    mutating func hold(_ slot: Slot, until due: Instant) { held.append((due, slot)) }

    /// To be looked at, but not before a moment.
    mutating func hold(_ slot: Slot, at instant: Instant, until due: Instant) {
        if since[slot] == nil { since[slot] = instant }
        hold(slot, until: due)
    }

    mutating func holdUntilListed(_ slot: Slot) { unlisted.append(slot) }

    mutating func wakeListed(at now: Instant) {
        ready.append(contentsOf: unlisted)
        unlisted.removeAll()
    }

    /// Those to be looked at now, each once.
    mutating func takeReady(at now: Instant) -> [Slot] {
        guard !ready.isEmpty || !held.isEmpty else { return [] }
        var taken = ready
        ready.removeAll()
        if held.contains(where: { $0.due <= now }) {
            taken.append(contentsOf: held.filter { $0.due <= now }.map { $0.slot })
            held.removeAll { $0.due <= now }
        }
        guard taken.count > 1 else { return taken.filter { since[$0] != nil } }
        var seen: Set<Slot> = []
        return taken.filter { since[$0] != nil && seen.insert($0).inserted }
    }

    /// When the first hold ends.
    var nextDue: Instant? { held.map { $0.due }.min() }
}

/// Items to be planned, in the order of their first mention.
struct DirtyItems: Sendable {
    /// Those of ``order`` once they are many: a few are found without.
    private var members: Set<ItemID> = []
    private var order: [ItemID] = []

    private static var few: Int { 16 }

    var isEmpty: Bool { order.isEmpty }

    mutating func insert(_ id: ItemID) {
        if order.count <= DirtyItems.few {
            guard !order.contains(id) else { return }
            order.append(id)
            if order.count > DirtyItems.few { members = Set(order) }
        } else if members.insert(id).inserted {
            order.append(id)
        }
    }

    mutating func takeAll() -> [ItemID] {
        let all = order
        members.removeAll()
        order.removeAll()
        return all
    }
}
