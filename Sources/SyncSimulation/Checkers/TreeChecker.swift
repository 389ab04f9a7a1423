import SyncCore

/// Every placed item hangs at the top, or at a folder that waits for a place; names are held once,
/// and what stands is alive.
struct TreeChecker {
    let account: AccountTables

    private struct HeldName: Hashable {
        let folder: ItemID
        let tag: Tag
    }

    func violations() -> [Violation] {
        var violations: [Violation] = []
        var names: Set<HeldName> = []
        for id in account.items.keys.sorted() {
            guard let item = account.items[id] else { continue }
            if (item.standing == .trashed) == item.heads.contains(where: \.hasContent) {
                violations.append(broken(id, "is \(item.standing), against what its heads say"))
            }
            guard item.standing == .placed else { continue }
            let name = HeldName(folder: item.placement.folder, tag: item.placement.tag)
            if !names.insert(name).inserted {
                violations.append(broken(id, "has a name that another one has"))
            }
            if !TreeChecker.hangs(id, in: account) {
                violations.append(broken(id, "cannot be reached from the top"))
            }
        }
        return violations
    }

    /// Whether the folders above an item lead to the top.
    static func hangs(_ id: ItemID, in account: AccountTables) -> Bool {
        var next = id
        for _ in 0...account.items.count {
            if next == .top { return true }
            guard let item = account.items[next], item.standing != .trashed else { return false }
            // It is listed with the trash, and all that is in it hangs at it.
            if item.standing == .unplaced { return true }
            next = item.placement.folder
        }
        return false
    }

    private func broken(_ id: ItemID, _ text: String) -> Violation {
        Violation(promise: "the account is a tree", text: "item \(id.text) \(text)")
    }
}
