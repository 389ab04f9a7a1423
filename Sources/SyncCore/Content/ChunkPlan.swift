/// Which chunks of a content are to be asked for, and when, while it is put together in its order.
///
/// Of what is not on this device only little is asked for ahead of what is written: however long an
/// answer takes, nothing further on is asked for meanwhile. So memory holds little, and little
/// travels again after a kill.
package struct ChunkPlan: Sendable {
    /// Where a chunk is thought to be on this device.
    package enum Place: Hashable, Sendable {
        case source(Int, at: UInt64)
        /// Where chunks wait to be sent.
        case kept
        /// In what is put together, further to the front.
        case earlier(at: UInt64)
    }

    /// What the server is to be asked for; the number comes back with the answer.
    package struct Question: Hashable, Sendable {
        package let number: UInt64
        package let chunks: [ChunkID]
        /// What they have together.
        package let bytes: Int
    }

    package let chunks: [ChunkReference]
    /// The chunk that is next, and where it begins.
    package private(set) var next = 0
    package private(set) var offset: UInt64 = 0

    private var places: [ChunkID: Place] = [:]
    /// Where else those are that wait to be sent: when they are sent, they go.
    private var others: [ChunkID: Place] = [:]
    /// Ids that the content has more than once.
    private var repeated: Set<ChunkID> = []
    /// What was asked for and is not in the file yet, with its size.
    private var asked: [ChunkID: Int] = [:]
    private var askedBytes = 0
    /// Up to here was asked for what is not on this device.
    private var ahead = 0
    private var aheadOffset: UInt64 = 0
    private var unanswered: [UInt64: [ChunkID]] = [:]
    private var lastQuestion: UInt64 = 0

    /// Each source is a file with the chunks that it is thought to have, in its order.
    package init(_ chunks: [ChunkReference], sources: [[ChunkReference]], kept: [ChunkID]) {
        self.chunks = chunks
        var needed: Set<ChunkID> = []
        for chunk in chunks where !needed.insert(chunk.id).inserted { repeated.insert(chunk.id) }
        for chunk in kept where needed.contains(chunk) { places[chunk] = .kept }
        for (index, source) in sources.enumerated() {
            var start: UInt64 = 0
            for chunk in source {
                if needed.contains(chunk.id) {
                    if places[chunk.id] == nil {
                        places[chunk.id] = .source(index, at: start)
                    } else if places[chunk.id] == .kept {
                        others[chunk.id] = .source(index, at: start)
                    }
                }
                start += UInt64(chunk.size)
            }
        }
    }

    package func place(of chunk: ChunkReference) -> Place? { places[chunk.id] }

    package func isAsked(_ id: ChunkID) -> Bool { asked[id] != nil }

    /// The next chunk is where it belongs.
    package mutating func advance() {
        let chunk = chunks[next]
        forget(chunk.id)
        if repeated.contains(chunk.id) { places[chunk.id] = .earlier(at: offset) }
        offset += UInt64(chunk.size)
        next += 1
    }

    private mutating func forget(_ id: ChunkID) {
        if let size = asked.removeValue(forKey: id) { askedBytes -= size }
    }

    // MARK: What is not here

    /// A chunk is not where it was thought to be.
    package mutating func missed(_ id: ChunkID) {
        places[id] = others.removeValue(forKey: id)
        lookAgain()
    }

    /// What is thought to be on this device of the next that one question would name.
    ///
    /// Where one chunk is missing, others that follow may be, too: they are looked at, so that they
    /// are asked for together.
    package var doubtful: [ChunkReference] {
        var found: [ChunkReference] = []
        var size = 0
        for chunk in chunks[next...] {
            size += Int(chunk.size)
            if size > ChunkTransfer.bytesAsked { break }
            if places[chunk.id] != nil { found.append(chunk) }
        }
        return found
    }

    private mutating func lookAgain() {
        ahead = next
        aheadOffset = offset
    }

    /// Asks for what is needed soon and is not on this device, so that it comes while other chunks
    /// are written.
    package mutating func ask(isHole: (ChunkReference) -> Bool) -> [Question] {
        if ahead < next { lookAgain() }
        var questions: [Question] = []
        while true {
            let chunks = nextQuestion(isHole)
            if chunks.isEmpty { return questions }
            lastQuestion += 1
            unanswered[lastQuestion] = chunks
            let bytes = chunks.reduce(0) { $0 + (asked[$1] ?? 0) }
            questions.append(Question(number: lastQuestion, chunks: chunks, bytes: bytes))
        }
    }

    private mutating func nextQuestion(_ isHole: (ChunkReference) -> Bool) -> [ChunkID] {
        var question: [ChunkID] = []
        var size = 0
        while ahead < chunks.count, aheadOffset - offset < Self.farthest {
            let chunk = chunks[ahead]
            if asked[chunk.id] == nil, places[chunk.id] == nil, !isHole(chunk) {
                // Without the next one nothing goes on.
                guard ahead == next || mayAsk(Int(chunk.size)) else { break }
                guard question.isEmpty || size + Int(chunk.size) <= ChunkTransfer.requestBytes
                else { break }
                question.append(chunk.id)
                asked[chunk.id] = Int(chunk.size)
                askedBytes += Int(chunk.size)
                size += Int(chunk.size)
            }
            ahead += 1
            aheadOffset += UInt64(chunk.size)
        }
        return question
    }

    private func mayAsk(_ size: Int) -> Bool {
        unanswered.count < ChunkTransfer.questionsUnderWay
            && askedBytes + size <= ChunkTransfer.bytesAsked
    }

    /// Takes what an answer has brought of what was asked for, checked; gives why the content
    /// cannot be gone on with, if so.
    package mutating func take(
        _ right: Set<ChunkID>, wrong: Set<ChunkID>, to number: UInt64
    ) -> FetchOutcome? {
        guard let question = unanswered.removeValue(forKey: number) else { return nil }
        for id in question where !right.contains(id) {
            forget(id)
            lookAgain()
        }
        if !wrong.isEmpty { return .damaged }
        // What was not asked for is as good as no answer; it is asked again later, not at once.
        return right.isEmpty ? .unavailable : nil
    }

    /// Further on than this nothing is looked for, so that to look again costs little.
    private static var farthest: UInt64 { 64 * 1_048_576 }
}
