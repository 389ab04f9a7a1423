import SyncCore

/// What a collection reads.
extension AccountTables {
    func kept(_ id: VersionID) -> Version? { collected.contains(id) ? nil : versions[id] }

    func number(at collection: UInt64) -> UInt64 {
        var low = 0
        var high = collections.count
        while low < high {
            let middle = (low + high) / 2
            if collections[middle].collection <= collection {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low > 0 ? collections[low - 1].number : 0
    }

    func replaced(
        after last: Replaced<VersionID>?, through number: UInt64, limit: Int
    ) -> [Replaced<VersionID>] {
        var rows: [Replaced<VersionID>] = []
        for (id, replaced) in replacements where replaced <= number && !collected.contains(id) {
            if let last, (replaced, id) <= (last.number, last.id) { continue }
            rows.append(Replaced(id, by: replaced))
        }
        rows.sort { ($0.number, $0.id) < ($1.number, $1.id) }
        return Array(rows.prefix(limit))
    }

    func replacedWrites(through number: UInt64, limit: Int) -> [Replaced<WriteID>] {
        var rows: [Replaced<WriteID>] = []
        for (id, replaced) in writeReplacements
        where replaced <= number && !collectedWrites.contains(id) {
            rows.append(Replaced(id, by: replaced))
        }
        rows.sort { ($0.number, $0.id) < ($1.number, $1.id) }
        return Array(rows.prefix(limit))
    }

    func unreferencedChunks(before collection: UInt64, limit: Int) -> [ChunkID] {
        var ids: [ChunkID] = []
        for (id, chunk) in chunks
        where chunk.uses == 0 && chunk.since < collection && !chunk.isMarked { ids.append(id) }
        return Array(ids.sorted { $0.text < $1.text }.prefix(limit))
    }

    func deviceReports() -> [DeviceReport] { reports }

    /// An item's versions, in the order of their acceptance.
    func versions(of item: ItemID) -> [Version] {
        let mine = versions.keys.compactMap { id -> (UInt64, Version)? in
            guard let record = version(id), record.item == item, let version = versions[id] else {
                return nil
            }
            return (record.number, version)
        }
        return mine.sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map { $0.1 }
    }

    /// The bytes that a version has or had, collected or not.
    func everContent(of id: VersionID) -> [UInt8]? {
        switch versions[id]?.content {
        case .inline(let bytes)?: bytes
        case .chunks(let list)?:
            list.reduce([UInt8]?.some([])) { all, chunk in
                all.flatMap { all in (chunks[chunk.id]?.bytes ?? archive[chunk.id]).map { all + $0 }
                }
            }
        default: lost[id]
        }
    }

    /// What goes when an older state takes this one's place.
    func lostContents(without backup: AccountTables) -> [VersionID: [UInt8]] {
        var contents = lost
        for id in versions.keys where backup.versions[id] == nil {
            if let bytes = everContent(of: id) { contents[id] = bytes }
        }
        return contents
    }

    /// What an older state takes back to the places that it had.
    func itemsThatReturn(with backup: AccountTables) -> Set<ItemID> {
        var items = returned
        for entry in log where entry.position.number > backup.position().number {
            for case .item(let state, _) in entry.effects {
                guard let before = backup.items[state.id], before.standing == .placed else {
                    continue
                }
                if state.standing != .placed || state.placement.id != before.placement.id {
                    items.insert(state.id)
                }
            }
            for case .folderRemoved(let folder, _, _) in entry.effects { items.insert(folder) }
        }
        return items
    }

    /// What can be brought back now, in the order of the ids.
    var trash: [ItemState] {
        let restorable = restorable(at: collection)
        return items.values.filter { $0.standing == .trashed && $0.changed > restorable }
            .sorted { $0.id < $1.id }
    }
}
