import SyncCore

/// What a collection reads.
extension AccountTables {
    func kept(_ id: VersionID) -> Version? { collected.contains(id) ? nil : versions[id] }

    func number(at collection: UInt64) -> UInt64 {
        let newest = collections.keys.filter { $0 <= collection }.max()
        return newest.flatMap { collections[$0] } ?? 0
    }

    func replaced(
        after last: Replaced<VersionID>?, through number: UInt64, limit: Int
    ) -> [Replaced<VersionID>] {
        let old = replacements.filter { $0.value <= number && !collected.contains($0.key) }
        let rows = old.map { Replaced($0.key, by: $0.value) }
            .sorted { ($0.number, $0.id) < ($1.number, $1.id) }
        let rest = rows.drop { row in
            guard let last else { return false }
            return (row.number, row.id) <= (last.number, last.id)
        }
        return Array(rest.prefix(limit))
    }

    func replacedWrites(through number: UInt64, limit: Int) -> [Replaced<WriteID>] {
        let old = writeReplacements.filter {
            $0.value <= number && !collectedWrites.contains($0.key)
        }
        let rows = old.map { Replaced($0.key, by: $0.value) }
            .sorted { ($0.number, $0.id) < ($1.number, $1.id) }
        return Array(rows.prefix(limit))
    }

    func unreferencedChunks(before collection: UInt64, limit: Int) -> [ChunkID] {
        let unused = chunks.filter { $0.value.uses == 0 && $0.value.since < collection }
        let ids = unused.filter { !$0.value.isMarked }.keys
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

    /// What can be brought back now, in the order of the ids.
    var trash: [ItemState] {
        let restorable = restorable(at: collection)
        return items.values.filter { $0.standing == .trashed && $0.changed > restorable }
            .sorted { $0.id < $1.id }
    }
}
