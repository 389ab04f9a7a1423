internal import SyncCore

/// The packs of a chunk store and their index; used by one thread at a time.
///
/// A chunk is waiting from when it is in a pack until its account has settled what becomes of it;
/// it is kept once the index has it, which the pack is made durable before.
final class PackedChunks {
    /// What a pack has that was appended and that its account has not settled.
    private struct Filling {
        let pack: ChunkPack
        var end: UInt64
    }

    private let folder: String
    private let isReadOnly: Bool
    private let index: SQLiteConnection
    /// Packs that are open.
    private var open: [UInt64: ChunkPack] = [:]
    private var filling: [AccountID: Filling] = [:]
    private var waiting: [AccountID: [ChunkID: ChunkPlace]] = [:]
    private var last: UInt64 = 0

    init(in chunks: String, isReadOnly: Bool) throws(StoreError) {
        folder = "\(chunks)/packs"
        self.isReadOnly = isReadOnly
        index = try SQLiteConnection(path: "\(chunks)/index.db")
        try index.migrate(to: .chunks)
    }

    // MARK: Reading

    func place(of id: ChunkID) throws(StoreError) -> ChunkPlace? {
        try index.one(ChunkSQL.place, [.digest(id)]) { row in
            ChunkPlace(pack: row.number(0), start: row.number(1), size: UInt32(row.number(2)))
        }
    }

    func waitingPlace(of id: ChunkID, _ account: AccountID) -> ChunkPlace? {
        waiting[account]?[id]
    }

    /// Nil if there is none any more.
    func pack(_ number: UInt64) throws(StoreError) -> ChunkPack? {
        if let pack = open[number] { return pack }
        guard let pack = try ChunkPack(opening: number, in: folder, isReadOnly: isReadOnly) else {
            return nil
        }
        // Those in use stay open until they are not.
        if open.count >= Self.mostOpen { open.removeAll() }
        open[number] = pack
        return pack
    }

    // MARK: Waiting

    /// Appends what is not waiting yet; where it fails, nothing is.
    func append(_ chunks: [(ChunkReference, ArraySlice<UInt8>)], _ account: AccountID)
        throws(StoreError)
    {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            chunks.reduce(0) { $0 + Int(ChunkPack.headSize) + $1.1.count })
        let (pack, start) = try room(of: account)
        var places: [ChunkID: ChunkPlace] = [:]
        for (chunk, content) in chunks
        where waiting[account]?[chunk.id] == nil && places[chunk.id] == nil {
            places[chunk.id] = ChunkPlace(
                pack: pack.number, start: start + UInt64(bytes.count), size: chunk.size)
            bytes += ChunkPack.record(chunk.id, content)
        }
        try pack.write(bytes, at: start)
        filling[account]?.end = start + UInt64(bytes.count)
        waiting[account, default: [:]].merge(places) { $1 }
    }

    private func room(of account: AccountID) throws(StoreError) -> (ChunkPack, UInt64) {
        if let filling = filling[account], filling.end < Self.packBytes {
            return (filling.pack, filling.end)
        }
        let pack = try ChunkPack(making: last + 1, in: folder, of: account)
        last += 1
        try index.run(ChunkSQL.addPack, .number(pack.number), .number(ChunkPack.firstRecord))
        open[pack.number] = pack
        filling[account] = Filling(pack: pack, end: ChunkPack.firstRecord)
        return (pack, ChunkPack.firstRecord)
    }

    /// Where the chunks are, and the packs that are to be made durable before they are kept.
    func waiting(
        _ account: AccountID, among chunks: [ChunkReference]
    ) throws(StoreError) -> (places: [ChunkID: ChunkPlace], packs: [ChunkPack]) {
        var places: [ChunkID: ChunkPlace] = [:]
        for chunk in chunks { places[chunk.id] = waiting[account]?[chunk.id] }
        var packs: [ChunkPack] = []
        for number in Set(places.values.map { $0.pack }).sorted() {
            guard let pack = try pack(number) else {
                throw .corrupt("a pack of chunks is gone while it is written")
            }
            packs.append(pack)
        }
        return (places, packs)
    }

    /// Has the index say where they are, durably.
    func keep(_ places: [(ChunkID, ChunkPlace)]) throws(StoreError) {
        guard !places.isEmpty else { return }
        try index.transaction { () throws(StoreError) in
            for (id, place) in places { try setPlace(place, of: id) }
        }
    }

    private func setPlace(_ place: ChunkPlace, of id: ChunkID) throws(StoreError) {
        if let old = try self.place(of: id) {
            try index.run(ChunkSQL.count, .number(old.pack), .integer(-1))
        }
        try index.run(
            ChunkSQL.setPlace, .digest(id), .number(place.pack), .number(place.start),
            .integer(Int64(place.size)))
        try index.run(ChunkSQL.count, .number(place.pack), .integer(1))
    }

    /// They are an account's, or nobody's: they wait no more.
    ///
    /// What is not kept is dropped.
    func settle(_ chunks: [ChunkID], _ account: AccountID) throws(StoreError) {
        var packs: Set<UInt64> = []
        for id in chunks {
            guard let place = waiting[account]?.removeValue(forKey: id) else { continue }
            packs.insert(place.pack)
            if try self.place(of: id) != place { try pack(place.pack)?.drop(place) }
        }
        if waiting[account]?.isEmpty == true { waiting[account] = nil }
        guard !packs.isEmpty else { return }
        try relaxed { () throws(StoreError) in
            for number in packs.sorted() { try settle(number, account) }
        }
    }

    /// The start need not look at what is settled.
    private func settle(_ number: UInt64, _ account: AccountID) throws(StoreError) {
        guard let pack = try pack(number) else { return }
        let first = waiting[account]?.values.filter { $0.pack == number }.map { $0.start }.min()
        let size = try pack.size()
        let end = first ?? size
        try index.run(ChunkSQL.settle, .number(number), .number(end))
        if first == nil { try removeIfEmpty(number) }
    }

    // MARK: Removing

    /// A power cut may bring some of it back into the index, but not the bytes.
    func remove(_ chunks: [ChunkID]) throws(StoreError) {
        var packs: Set<UInt64> = []
        try relaxed { () throws(StoreError) in
            for id in chunks {
                guard let place = try place(of: id) else { continue }
                try pack(place.pack)?.drop(place)
                try index.run(ChunkSQL.removePlace, .digest(id))
                try index.run(ChunkSQL.count, .number(place.pack), .integer(-1))
                packs.insert(place.pack)
            }
            for number in packs.sorted() { try removeIfEmpty(number) }
        }
    }

    private func removeIfEmpty(_ number: UInt64) throws(StoreError) {
        guard try index.one(ChunkSQL.live, [.number(number)], { $0.integer(0) }) == 0,
            !waiting.values.contains(where: { $0.values.contains { $0.pack == number } })
        else { return }
        for (account, filling) in filling where filling.pack.number == number {
            self.filling[account] = nil
        }
        open[number] = nil
        try FileSystem.removeIfThere(ChunkPack.path(number, in: folder))
        try index.run(ChunkSQL.removePack, .number(number))
    }

    /// A transaction that is not durable when it returns.
    private func relaxed(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try index.execute(ChunkSQL.relaxed)
        defer { try? index.execute(ChunkSQL.strict) }
        try index.transaction(body)
    }

    // MARK: The start

    /// Finds what processes before have appended and not settled.
    ///
    /// They are not appended to any more: what a power cut has left at their ends may be anything.
    func findWaiting() throws(StoreError) {
        var settled: [UInt64: UInt64] = [:]
        try index.each(ChunkSQL.packs, []) { row in
            settled[row.number(0)] = row.number(1)
            return true
        }
        for number in try packNumbers() {
            guard let pack = try pack(number) else { continue }
            let start = settled[number] ?? ChunkPack.firstRecord
            guard try pack.size() > start, let account = try pack.account else { continue }
            try find(in: pack, from: start, account, isKnown: settled[number] != nil)
        }
        last = max(last, settled.keys.max() ?? 0)
    }

    func allWaiting() -> [AccountID: [ChunkReference]] {
        waiting.mapValues { chunks in
            chunks.map { ChunkReference(id: $0.key, size: $0.value.size) }
        }
    }

    /// The number of the last pack is noted, too.
    private func packNumbers() throws(StoreError) -> [UInt64] {
        let numbers = try FileSystem.names(in: folder).compactMap { UInt64($0, radix: 16) }
        last = numbers.max() ?? 0
        return numbers.sorted()
    }

    private func find(
        in pack: ChunkPack, from start: UInt64, _ account: AccountID, isKnown: Bool
    ) throws(StoreError) {
        var found: [(ChunkID, ChunkPlace)] = []
        var next = start
        while let record = try pack.record(at: next) {
            let place = ChunkPlace(pack: pack.number, start: next, size: record.size)
            next = place.end
            guard record.isThere, let bytes = try pack.bytes(of: record.id, at: place),
                SHA256.hash(bytes) == record.id
            else { continue }
            found.append((record.id, place))
        }
        for (id, place) in found { waiting[account, default: [:]][id] = place }
        guard !isKnown else { return }
        // The index is new or has lost the pack: whose its chunks are is known to others.
        try pack.sync()
        try index.run(ChunkSQL.addPack, .number(pack.number), .number(start))
        try keep(found)
    }

    private static var packBytes: UInt64 { 64 * 1_048_576 }
    private static var mostOpen: Int { 64 }
}

extension Schema {
    static var chunks: Schema {
        Schema(applicationID: 1_430_413_428, steps: [Chunks0001.sql])
    }
}
