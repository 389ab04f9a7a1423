package import SyncCore
package import SyncWire

// MARK: - What the rules read

extension MemoryAccountStore {
    package func position() throws(StoreError) -> Position {
        image.entries.last?.position ?? .start
    }

    package func item(_ id: ItemID) throws(StoreError) -> ItemState? { image.items[id] }
    package func alias(_ id: ItemID) throws(StoreError) -> ItemID? { image.aliases[id] }

    package func holder(of tag: Tag, in folder: ItemID) throws(StoreError) -> ItemID? {
        image.holders[TagPlace(folder: folder, tag: tag)]?.first
    }

    package func children(of folder: ItemID) throws(StoreError) -> [ItemID] {
        Array(image.children[folder] ?? [])
    }

    package func trashed(in folder: ItemID) throws(StoreError) -> [ItemID] {
        image.items.values.filter { $0.standing == .trashed && $0.placement.folder == folder }
            .map { $0.id }
    }

    package func version(_ id: VersionID) throws(StoreError) -> VersionRecord? {
        image.versions[id]?.record
    }

    package func incarnation(_ id: Incarnation) throws(StoreError) -> IncarnationRecord? {
        image.incarnations[id]
    }

    package func answer(
        _ incarnation: Incarnation, _ number: UInt64
    ) throws(StoreError) -> StoredAnswer? {
        image.answers[AnswerKey(incarnation: incarnation, number: number)]
    }

    package func register(_ key: RegisterKey) throws(StoreError) -> RegisterState? {
        image.registers[key]
    }

    package func hasWrite(_ id: WriteID) throws(StoreError) -> Bool { image.writes[id] != nil }
    package func usage() throws(StoreError) -> Usage { image.usage }
    package func states() throws(StoreError) -> [ItemState] { Array(image.items.values) }

    package func allAliases() throws(StoreError) -> [ItemAlias] {
        image.aliases.map { ItemAlias(item: $0.key, holder: $0.value) }
    }

    package func allRegisters() throws(StoreError) -> [RegisterState] {
        Array(image.registers.values)
    }

    package func hasChunk(_ id: ChunkID) throws(StoreError) -> Bool { image.chunks[id] != nil }
}

// MARK: - Serving

extension MemoryAccountStore {
    package func entries(
        after number: UInt64, limit: Int, to device: DeviceID?
    ) throws(StoreError) -> [LogEntry] {
        var entries: [LogEntry] = []
        var size = 0
        for entry in image.entries.dropFirst(Int(clamping: number)) {
            let entry = entry.author == device ? entry.withoutInlineContent : entry
            size += entry.size
            guard entries.isEmpty || size <= limit else { break }
            entries.append(entry)
        }
        return entries
    }

    package func digest(at number: UInt64) throws(StoreError) -> Digest? {
        guard number > 0 else { return .zero }
        guard number <= UInt64(image.entries.count) else { return nil }
        return image.entries[Int(number) - 1].position.digest
    }

    package func storedVersion(_ id: VersionID) throws(StoreError) -> VersionMessage? {
        image.versions[id].flatMap { message($0.version, $0.record) }
    }

    package func versions(of item: ItemID) throws(StoreError) -> [VersionMessage] {
        (image.versionsOfItem[item] ?? []).compactMap { id in
            image.versions[id].flatMap { message($0.version.withoutInlineContent, $0.record) }
        }
    }

    private func message(_ version: Version, _ record: VersionRecord) -> VersionMessage? {
        guard record.number > 0, record.number <= UInt64(image.entries.count) else { return nil }
        let entry = image.entries[Int(record.number) - 1]
        return VersionMessage(
            version: version, item: record.item, number: record.number, author: entry.author,
            moment: entry.moment, isCollected: image.collectedVersions.contains(version.id))
    }
}
