import SyncCore

/// What single changes cost a replica, in entries of its trees that it reads or writes.
///
/// Counted, not timed: in a build that counts (`TreeTable.swift`).
package struct TreeCost: Sendable {
    package let change: String
    package let touched: Int
    /// Items that the change is about.
    package let changed: Int
    /// Folders above them.
    package let depth: Int

    /// Entries for each item that changed and each folder above it.
    package var factor: Double { Double(touched) / Double(changed + depth) }

    /// The costs in a tree of so many files; nil in a build that does not count.
    package static func all(files: Int) -> [TreeCost]? {
        guard TreeTally.touched(by: {}) != nil else { return nil }
        var world = TreeWorld(files: files)
        guard let first = world.folders.first, let last = world.folders.last else { return [] }
        // Top, container, Documents, group, folder.
        let depth = 5
        var costs: [TreeCost] = []
        func note(
            _ change: String, changed: Int = 1, depth: Int = depth,
            _ work: (inout TreeWorld) -> Void
        ) {
            let touched = world.count(work)
            costs.append(
                TreeCost(change: change, touched: touched, changed: changed, depth: depth))
        }
        func slot(_ name: String, in folder: ItemID) -> Slot {
            Slot(folder: folder, name: Home.name(name))
        }
        note("a connection") { world in
            world.report(.connection(isOpen: false))
            world.report(.connection(isOpen: true))
        }
        note("a file is made") { $0.save("new", at: slot("new", in: last)) }
        note("a file is saved") { $0.save("changed", at: slot("file 1", in: last)) }
        note("a file is deleted") { $0.remove(slot("file 2", in: last)) }
        note("a file is moved") {
            $0.move(slot("file 3", in: first), to: slot("moved", in: last))
        }
        let files = world.files(of: first)
        note("another device saves a file") { $0.receive($0.edit(of: files[4])) }
        note("another device deletes a file") { $0.receive($0.deletion(of: files[5])) }
        note("another device moves a file") {
            $0.receive($0.placing(of: files[6], at: slot("placed", in: last)))
        }
        note("another device renames a folder of a hundred") {
            $0.receive($0.placing(of: first, at: slot("renamed", in: $0.documents)))
        }
        return costs
    }
}

extension TreeWorld {
    fileprivate func edit(of item: ItemID) -> Operation.Body {
        let bytes = Array("theirs".utf8)
        let facts = VersionFacts(
            digest: simulatedHash(bytes), size: UInt64(bytes.count), mode: 0o644,
            modified: FileTime(seconds: 2, nanoseconds: 0))
        return .edit(
            item: item,
            version: Version(
                id: VersionID(high: 1, low: item.low), parents: heads(of: item), nature: .edit,
                facts: facts.bytes, content: .inline(bytes)))
    }

    fileprivate func deletion(of item: ItemID) -> Operation.Body {
        .edit(
            item: item,
            version: Version(
                id: VersionID(high: 2, low: item.low), parents: heads(of: item),
                nature: .deletion, facts: [], content: .none))
    }

    fileprivate func placing(of item: ItemID, at slot: Slot) -> Operation.Body {
        .move(
            item: item,
            placement: Placement(
                id: PlaceID(high: 3, low: item.low), replaces: state(item)?.placement.id,
                folder: slot.folder, tag: simulatedVault.tag(slot.name.bytes),
                name: slot.name.bytes))
    }

    private func heads(of item: ItemID) -> [VersionID] {
        state(item)?.heads.map(\.version) ?? []
    }
}
