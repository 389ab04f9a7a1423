import SyncCore
import SyncStore
import SyncWire

/// A content that is being put together, chunk after chunk, from what is here and from the server.
///
/// All that has come is in the file, and is found to be right again after a restart by its hashes:
/// nothing else is kept. Memory holds what was asked for and is not written yet.
final class Assembly {
    enum State {
        /// It can go on at once.
        case going
        /// It needs an answer to a question.
        case waiting
        case complete(size: UInt64, Digest)
        case failed(FetchOutcome)
    }

    let request: FetchRequest
    private let file: Descriptor
    private let own: ChunkFolder
    private let sources: [ChunkSource]
    private var plan: ChunkPlan
    private var zeros = ZeroChunks()
    private var whole = SHA256()
    /// The bytes that an earlier attempt has left and that are not looked at yet.
    private var leftover: UInt64
    private var arrived: [ChunkID: ArraySlice<UInt8>] = [:]
    private var questions: [ChunkPlan.Question] = []
    /// What was written since somebody asked, and since the kernel was told to begin with it.
    private var written: UInt64 = 0
    private var unwritten = 0
    private var hasWrongSizes = false

    init(
        _ request: FetchRequest, _ sources: [ChunkSource], own: ChunkFolder, file: Descriptor
    ) throws(DiskError) {
        self.request = request
        self.sources = sources
        self.own = own
        self.file = file
        leftover = try FileSystemCalls.look(file).stamp.size
        // Chunks of our own that cannot be listed are as good as none.
        plan = ChunkPlan(
            request.chunks, sources: sources.map { $0.chunks }, kept: (try? own.list()) ?? [])
    }

    /// What the server is to be asked for now.
    func takeQuestions() -> [ChunkPlan.Question] {
        let taken = questions
        questions = []
        return taken
    }

    /// Nothing is taken from other files any more.
    func closeSources() { for source in sources { source.close() } }

    // MARK: Room

    /// The bytes that the disk has yet to take: holes need none, nor does what has come already.
    func bytesNeeded() -> UInt64 {
        var size: UInt64 = 0
        for chunk in request.chunks where !zeros.contains(chunk) { size += UInt64(chunk.size) }
        return size - min(size, FileSystemCalls.storedBytes(file))
    }

    /// The bytes that were written since this was asked last.
    func takeWritten() -> UInt64 {
        let taken = written
        written = 0
        return taken
    }

    /// Gives back the room of all that has come.
    func giveBack() { try? FileSystemCalls.setLength(0, of: file) }

    // MARK: Going on

    /// Does a little of what can be done; others wait for the thread.
    func step() -> State {
        do throws(DiskError) {
            return try advance()
        } catch {
            return .failed(.failed(error.failure))
        }
    }

    private func advance() throws(DiskError) -> State {
        var budget = Self.stepBytes
        while plan.next < plan.chunks.count {
            guard budget > 0 else { return .going }
            let chunk = plan.chunks[plan.next]
            guard chunk.size <= ChunkCutter.mostBytes else { return .failed(.damaged) }
            if try !takeLeftover(chunk) {
                ask()
                guard try take(chunk) else {
                    if hasWrongSizes { return .failed(.damaged) }
                    ask()
                    return .waiting
                }
            }
            budget -= Int(chunk.size)
            plan.advance()
        }
        return try finish()
    }

    /// Whether an earlier attempt has left the chunk where it belongs; what it left behind the
    /// first that is not so is of no use.
    private func takeLeftover(_ chunk: ChunkReference) throws(DiskError) -> Bool {
        let end = plan.offset + UInt64(chunk.size)
        if end <= leftover {
            let data = FileSystemCalls.nextData(file, from: plan.offset) ?? end
            if zeros.contains(chunk), data >= end {
                update(zeros.bytes(Int(chunk.size)))
                return true
            }
            if let bytes = verified(chunk, at: plan.offset) {
                update(bytes[...])
                return true
            }
        }
        if leftover > 0 {
            try FileSystemCalls.setLength(plan.offset, of: file)
            leftover = 0
        }
        return false
    }

    private func take(_ chunk: ChunkReference) throws(DiskError) -> Bool {
        if zeros.contains(chunk) {
            update(zeros.bytes(Int(chunk.size)))
            try FileSystemCalls.setLength(plan.offset + UInt64(chunk.size), of: file)
            return true
        }
        if let bytes = arrived.removeValue(forKey: chunk.id) {
            // The list of chunks is wrong: to ask again would bring the same.
            guard bytes.count == Int(chunk.size) else {
                hasWrongSizes = true
                return false
            }
            try append(bytes)
            return true
        }
        guard plan.place(of: chunk) != nil else { return false }
        var place = found(chunk)
        while place == nil, plan.place(of: chunk) != nil {
            plan.missed(chunk.id)
            place = found(chunk)
        }
        guard let bytes = place else {
            for other in plan.doubtful where found(other) == nil { plan.missed(other.id) }
            return false
        }
        try append(bytes[...])
        return true
    }

    /// The chunk, from where it is thought to be on this device.
    private func found(_ chunk: ChunkReference) -> [UInt8]? {
        switch plan.place(of: chunk) {
        case .source(let index, let place):
            verified(chunk, sources[index].read(at: place, count: Int(chunk.size)))
        case .earlier(let place): verified(chunk, at: place)
        case .kept: (try? own.read(chunk)) ?? nil
        case nil: nil
        }
    }

    /// What cannot be read on this disk is as good as not there: the server has it.
    private func verified(_ chunk: ChunkReference, at place: UInt64) -> [UInt8]? {
        let read = try? FileSystemCalls.read(file, at: place, count: Int(chunk.size))
        return verified(chunk, read ?? nil)
    }

    private func verified(_ chunk: ChunkReference, _ bytes: [UInt8]?) -> [UInt8]? {
        guard let bytes, SHA256.hash(bytes) == chunk.id else { return nil }
        return bytes
    }

    private func append(_ bytes: ArraySlice<UInt8>) throws(DiskError) {
        try FileSystemCalls.writeSparsely(bytes, at: plan.offset, to: file)
        try FileSystemCalls.setLength(plan.offset + UInt64(bytes.count), of: file)
        update(bytes)
        written += UInt64(bytes.count)
        unwritten += bytes.count
        guard unwritten >= Self.writtenAtOnce else { return }
        FileSystemCalls.beginWriting(file)
        unwritten = 0
    }

    private func update(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe whole.update($0) }
    }

    private func finish() throws(DiskError) -> State {
        let digest = whole.digestSoFar()
        guard plan.offset == request.facts.size, digest == request.facts.digest else {
            return .failed(.damaged)
        }
        // Setting a length is writing: a content that had come already may be on its way into the
        // tree, with its version's time.
        if try FileSystemCalls.look(file).stamp.size != plan.offset {
            try FileSystemCalls.setLength(plan.offset, of: file)
        }
        try FileSystemCalls.sync(file)
        return .complete(size: plan.offset, digest)
    }

    // MARK: Questions and answers

    private func ask() { questions += plan.ask { zeros.contains($0) } }

    /// Takes an answer, nil if there was none; gives why it cannot go on, if so.
    func take(_ answer: ChunkBundle?, to question: UInt64) -> FetchOutcome? {
        var right: Set<ChunkID> = []
        var wrong: Set<ChunkID> = []
        answer?.eachChunk { chunk, bytes in
            guard plan.isAsked(chunk.id) else { return }
            guard SHA256.hash(bytes) == chunk.id else {
                wrong.insert(chunk.id)
                return
            }
            right.insert(chunk.id)
            // A copy, so that the rest of the answer goes.
            arrived[chunk.id] = Array(bytes)[...]
        }
        return plan.take(right, wrong: wrong, to: question)
    }

    private static var stepBytes: Int { 4 * 1_048_576 }
    private static var writtenAtOnce: Int { 8 * 1_048_576 }
}
