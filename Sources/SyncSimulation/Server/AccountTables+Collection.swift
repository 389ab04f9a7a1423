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

    /// What can be brought back now, in the order of the ids.
    var trash: [ItemState] {
        let restorable = restorable(at: collection)
        return items.values.filter { $0.standing == .trashed && $0.changed > restorable }
            .sorted { $0.id < $1.id }
    }
}
