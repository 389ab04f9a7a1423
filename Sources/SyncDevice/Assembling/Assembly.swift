import SyncCore
import SyncStore
import SyncWire

/// A content that is being put together, chunk after chunk, from what is here and from the server.
///
/// All that has come is in the file, and is found to be right again after a restart by its hashes:
/// nothing else is kept. Memory holds what was asked for and is not written yet, 1 MiB at most or
/// so.
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
    private var places: [ChunkID: Place] = [:]
    /// Where else those are that wait to be sent: when they are, they go.
    private var others: [ChunkID: Place] = [:]
    /// Ids that the content has more than once.
    private var repeated: Set<ChunkID> = []
    private var zeros = ZeroChunks()
    private var whole = SHA256()
    /// The chunk that is next, and where it begins.
    private var next = 0
    private var offset: UInt64 = 0
    /// The bytes that an earlier attempt has left and that are not looked at yet.
    private var leftover: UInt64

    private var arrived: [ChunkID: ArraySlice<UInt8>] = [:]
    /// Ids that were asked for and are not in the file yet.
    private var asked: Set<ChunkID> = []
    /// Up to here was asked for what is not on this device.
    private var ahead = 0
    private var underWay = 0
    private var questions: [[ChunkID]] = []
    private var unwritten = 0
    private var hasWrongSizes = false

    private enum Place {
        case file(Int, at: UInt64)
        case folder
        case earlier(at: UInt64)
    }

    init(
        _ request: FetchRequest, _ sources: [ChunkSource], own: ChunkFolder, file: Descriptor
    ) throws(DiskError) {
        self.request = request
        self.sources = sources
        self.own = own
        self.file = file
        leftover = try FileSystemCalls.look(file).stamp.size
        findPlaces(own: try own.list())
    }

    private func findPlaces(own: [ChunkID]) {
        var needed: Set<ChunkID> = []
        for chunk in request.chunks where !needed.insert(chunk.id).inserted {
            repeated.insert(chunk.id)
        }
        for chunk in own where needed.contains(chunk) { places[chunk] = .folder }
        for (index, source) in sources.enumerated() {
            var start: UInt64 = 0
            for chunk in source.chunks {
                if needed.contains(chunk.id) {
                    switch places[chunk.id] {
                    case nil: places[chunk.id] = .file(index, at: start)
                    case .folder: others[chunk.id] = .file(index, at: start)
                    case .file, .earlier: break
                    }
                }
                start += UInt64(chunk.size)
            }
        }
    }

    /// What the server is to be asked for now.
    func takeQuestions() -> [[ChunkID]] {
        let taken = questions
        questions = []
        return taken
    }

    // MARK: Going on

    /// Does a little of what can be done; others wait for the thread.
    func step() -> State {
        do throws(DiskError) {
            return try advance()
        } catch {
            // The room is given back: the device's own state needs some to go on.
            if error.failure == .noSpace { try? FileSystemCalls.setLength(0, of: file) }
            return .failed(.failed(error.failure))
        }
    }

    private func advance() throws(DiskError) -> State {
        var budget = Self.stepBytes
        while next < request.chunks.count {
            guard budget > 0 else { return .going }
            let chunk = request.chunks[next]
            guard chunk.size <= ChunkCutter.mostBytes else { return .failed(.damaged) }
            if try !takeLeftover(chunk) {
                ask()
                guard try take(chunk) else {
                    if hasWrongSizes { return .failed(.damaged) }
                    askUrgently(chunk)
                    return .waiting
                }
            }
            budget -= Int(chunk.size)
            offset += UInt64(chunk.size)
            next += 1
        }
        return try finish()
    }

    /// Whether an earlier attempt has left the chunk where it belongs; what it left behind the
    /// first that is not so is of no use.
    private func takeLeftover(_ chunk: ChunkReference) throws(DiskError) -> Bool {
        let end = offset + UInt64(chunk.size)
        if end <= leftover {
            if zeros.contains(chunk), FileSystemCalls.nextData(file, from: offset) ?? end >= end {
                update(zeros.bytes(Int(chunk.size)))
                return true
            }
            if let bytes = try verified(chunk, in: file, at: offset) {
                update(bytes[...])
                note(chunk)
                return true
            }
        }
        if leftover > 0 {
            try FileSystemCalls.setLength(offset, of: file)
            leftover = 0
        }
        return false
    }

    private func take(_ chunk: ChunkReference) throws(DiskError) -> Bool {
        if zeros.contains(chunk) {
            update(zeros.bytes(Int(chunk.size)))
            try FileSystemCalls.setLength(offset + UInt64(chunk.size), of: file)
            return true
        }
        if let bytes = arrived.removeValue(forKey: chunk.id) {
            asked.remove(chunk.id)
            // The list of chunks is wrong: to ask again would bring the same.
            guard bytes.count == Int(chunk.size) else {
                hasWrongSizes = true
                return false
            }
            try append(bytes, chunk)
            return true
        }
        guard let bytes = try found(chunk) else {
            places[chunk.id] = others.removeValue(forKey: chunk.id)
            guard places[chunk.id] != nil else { return false }
            return try take(chunk)
        }
        try append(bytes[...], chunk)
        return true
    }

    private func found(_ chunk: ChunkReference) throws(DiskError) -> [UInt8]? {
        switch places[chunk.id] {
        case .file(let index, let place):
            // Another's file that cannot be read now is as good as none.
            try? verified(chunk, sources[index].read(at: place, count: Int(chunk.size)))
        case .earlier(let place): try verified(chunk, in: file, at: place)
        case .folder: try own.read(chunk)
        case nil: nil
        }
    }

    private func verified(
        _ chunk: ChunkReference, in file: Descriptor, at place: UInt64
    ) throws(DiskError) -> [UInt8]? {
        verified(chunk, try FileSystemCalls.read(file, at: place, count: Int(chunk.size)))
    }

    private func verified(_ chunk: ChunkReference, _ bytes: [UInt8]?) -> [UInt8]? {
        guard let bytes, SHA256.hash(bytes) == chunk.id else { return nil }
        return bytes
    }

    private func append(_ bytes: ArraySlice<UInt8>, _ chunk: ChunkReference) throws(DiskError) {
        try FileSystemCalls.writeSparsely(bytes, at: offset, to: file)
        try FileSystemCalls.setLength(offset + UInt64(bytes.count), of: file)
        update(bytes)
        note(chunk)
        unwritten += bytes.count
        guard unwritten >= Self.writtenAtOnce else { return }
        FileSystemCalls.beginWriting(file)
        unwritten = 0
    }

    private func note(_ chunk: ChunkReference) {
        guard repeated.contains(chunk.id) else { return }
        places[chunk.id] = .earlier(at: offset)
    }

    private func update(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe whole.update($0) }
    }

    private func finish() throws(DiskError) -> State {
        let digest = whole.digestSoFar()
        guard offset == request.facts.size, digest == request.facts.digest else {
            return .failed(.damaged)
        }
        try FileSystemCalls.setLength(offset, of: file)
        try FileSystemCalls.sync(file)
        return .complete(size: offset, digest)
    }

    // MARK: Questions and answers

    /// Asks for what is needed next and is not on this device, so that it comes while other chunks
    /// are written.
    private func ask() {
        ahead = max(ahead, next)
        while underWay < Self.mostQuestions, let question = nextQuestion() {
            put(question)
        }
    }

    private func nextQuestion() -> [ChunkID]? {
        var question: [ChunkID] = []
        var size = 0
        while ahead < request.chunks.count {
            let chunk = request.chunks[ahead]
            if !asked.contains(chunk.id), places[chunk.id] == nil, !zeros.contains(chunk) {
                guard question.isEmpty || size + Int(chunk.size) <= ChunkTransfer.requestBytes
                else { break }
                question.append(chunk.id)
                asked.insert(chunk.id)
                size += Int(chunk.size)
            }
            ahead += 1
        }
        return question.isEmpty ? nil : question
    }

    /// What was thought to be here is not.
    private func askUrgently(_ chunk: ChunkReference) {
        if asked.insert(chunk.id).inserted { put([chunk.id]) }
    }

    private func put(_ question: [ChunkID]) {
        underWay += 1
        questions.append(question)
    }

    /// Takes an answer, nil if there was none; gives why it cannot go on, if so.
    func take(_ answer: ChunkBundle?, to question: [ChunkID]) -> FetchOutcome? {
        // What an earlier attempt had asked for.
        guard question.contains(where: { asked.contains($0) }) else { return nil }
        underWay -= 1
        guard let answer, !answer.chunks.isEmpty else { return .unavailable }
        var isRight = true
        var isOfUse = false
        answer.eachChunk { chunk, bytes in
            guard asked.contains(chunk.id) else { return }
            isOfUse = true
            if SHA256.hash(bytes) == chunk.id {
                // A copy, so that the rest of the answer goes.
                arrived[chunk.id] = Array(bytes)[...]
            } else {
                isRight = false
            }
        }
        for id in question where arrived[id] == nil && asked.remove(id) != nil { ahead = next }
        // What was not asked for is as good as no answer; it is asked again later, not at once.
        guard isOfUse else { return .unavailable }
        return isRight ? nil : .damaged
    }

    private static var stepBytes: Int { 4 * 1_048_576 }
    private static var writtenAtOnce: Int { 8 * 1_048_576 }
    private static var mostQuestions: Int { 2 }
}
