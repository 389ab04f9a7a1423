package import SyncCore
package import SyncWire

extension MemoryAccountStore {
    package func kept(_ id: VersionID) throws(StoreError) -> Version? {
        image.collectedVersions.contains(id) ? nil : image.versions[id]?.version
    }

    package func number(at collection: UInt64) throws(StoreError) -> UInt64 {
        let newest = image.collections.keys.filter { $0 <= collection }.max()
        return newest.flatMap { image.collections[$0] } ?? 0
    }

    package func replaced(
        after last: Replaced<VersionID>?, through number: UInt64, limit: Int
    ) throws(StoreError) -> [Replaced<VersionID>] {
        let old = image.replaced.filter { id, replaced in
            replaced <= number && !image.collectedVersions.contains(id)
                && image.versions[id]?.version.content != StoredContent.none
        }
        let rows = old.map { Replaced($0.key, by: $0.value) }
            .sorted { ($0.number, $0.id) < ($1.number, $1.id) }
        let rest = rows.drop { row in
            guard let last else { return false }
            return (row.number, row.id) <= (last.number, last.id)
        }
        return Array(rest.prefix(limit))
    }

    package func replacedWrites(
        through number: UInt64, limit: Int
    ) throws(StoreError) -> [Replaced<WriteID>] {
        let old = image.replacedWrites.filter { $0.value <= number }
        let rows = old.map { Replaced($0.key, by: $0.value) }
            .sorted { ($0.number, $0.id) < ($1.number, $1.id) }
        return Array(rows.prefix(limit))
    }

    package func unreferencedChunks(
        before collection: UInt64, limit: Int
    ) throws(StoreError) -> [ChunkID] {
        let unused = image.chunks.keys.filter {
            (image.uses[$0] ?? 0) == 0 && (image.unusedSince[$0] ?? 0) < collection
        }
        let sorted = unused.sorted {
            let since = (image.unusedSince[$0] ?? 0, image.unusedSince[$1] ?? 0)
            return since.0 == since.1
                ? $0.bytes.lexicographicallyPrecedes($1.bytes) : since.0 < since.1
        }
        return Array(sorted.prefix(limit))
    }

    package func deviceReports() throws(StoreError) -> [DeviceReport] { installed }

    package func displaced(
        after last: ItemID?, limit: Int
    ) throws(StoreError) -> [TrashedItem] {
        let states = image.items.values.filter { state in
            state.standing != .placed && (last.map { state.id > $0 } ?? true)
        }
        return states.sorted { $0.id < $1.id }.prefix(limit).compactMap { state in
            guard state.changed > 0, state.changed <= UInt64(image.entries.count) else {
                return nil
            }
            let entry = image.entries[Int(state.changed) - 1]
            return TrashedItem(state: state, author: entry.author, moment: entry.moment)
        }
    }
}
