import SyncCore
import Testing

/// What is asked for of a content, and when.
@Suite struct ChunkPlanTests {
    /// Chunks of 100 kB, numbered.
    private func chunks(_ count: Int) -> [ChunkReference] {
        (0..<count).map { ChunkReference(id: id($0), size: 100_000) }
    }

    private func id(_ number: Int) -> ChunkID {
        var bytes = [UInt8](repeating: 0, count: 32)
        for place in 0..<4 { bytes[place] = UInt8(truncatingIfNeeded: number >> (8 * place)) }
        return Digest(bytes: bytes)!
    }

    private func plan(_ count: Int, _ sources: [[ChunkReference]] = []) -> ChunkPlan {
        ChunkPlan(chunks(count), sources: sources, kept: [])
    }

    @Test func twoQuestionsAreUnderWay() throws {
        var plan = plan(100)
        let first = plan.ask { _ in false }
        #expect(first.map(\.chunks) == [[id(0), id(1)], [id(2), id(3)]])
        #expect(plan.ask { _ in false }.isEmpty)
        #expect(plan.take([id(0), id(1)], wrong: [], to: first[0].number) == nil)
        #expect(plan.ask { _ in false }.map(\.chunks) == [[id(4), id(5)]])
    }

    @Test func whatIsAskedForIsNotFarAheadOfWhatIsWritten() throws {
        var plan = plan(100)
        var questions = plan.ask { _ in false }
        let late = questions.removeFirst()
        var asked = late.chunks.count
        while let question = questions.popLast() {
            asked += question.chunks.count
            #expect(plan.take(Set(question.chunks), wrong: [], to: question.number) == nil)
            questions += plan.ask { _ in false }
        }
        #expect(asked == 10)
        #expect(plan.take(Set(late.chunks), wrong: [], to: late.number) == nil)
        #expect(plan.ask { _ in false }.isEmpty)
        plan.advance()
        #expect(plan.ask { _ in false }.map(\.chunks) == [[id(10)]])
    }

    @Test func theNextOneIsAskedForWhateverIsUnderWay() throws {
        var plan = plan(100, [[ChunkReference(id: id(0), size: 100_000)]])
        #expect(plan.place(of: chunks(1)[0]) == .source(0, at: 0))
        let questions = plan.ask { _ in false }
        #expect(questions.map(\.chunks) == [[id(1), id(2)], [id(3), id(4)]])
        plan.missed(id(0))
        #expect(plan.ask { _ in false }.map(\.chunks) == [[id(0)]])
        #expect(plan.ask { _ in false }.isEmpty)
    }

    @Test func whatIsMissingTogetherIsAskedForTogether() throws {
        var plan = plan(100, [chunks(100)])
        #expect(plan.ask { _ in false }.isEmpty)
        plan.missed(id(0))
        let doubtful = plan.doubtful
        #expect(doubtful.map(\.id) == (1..<10).map { id($0) })
        for chunk in doubtful where chunk.id != id(2) { plan.missed(chunk.id) }
        #expect(plan.ask { _ in false }.map(\.chunks) == [[id(0), id(1)], [id(3), id(4)]])
    }

    @Test func holesAndWhatIsHereAreNotAskedFor() throws {
        var plan = ChunkPlan(chunks(6), sources: [], kept: [id(1), id(77)])
        #expect(plan.place(of: chunks(2)[1]) == .kept)
        let questions = plan.ask { $0.id == id(2) }
        #expect(questions.map(\.chunks) == [[id(0), id(3)], [id(4), id(5)]])
    }

    @Test func whatComesAgainIsTakenFromItsFirstPlace() throws {
        var plan = ChunkPlan(chunks(2) + chunks(2), sources: [], kept: [])
        #expect(plan.ask { _ in false }.map(\.chunks) == [[id(0), id(1)]])
        plan.advance()
        plan.advance()
        #expect(plan.place(of: chunks(2)[1]) == .earlier(at: 100_000))
        #expect(plan.ask { _ in false }.isEmpty)
    }

    @Test func anAnswerThatBringsNothingEndsTheAttempt() throws {
        var plan = plan(10)
        let questions = plan.ask { _ in false }
        #expect(plan.take([], wrong: [], to: questions[0].number) == .unavailable)
        #expect(plan.take([id(2)], wrong: [id(3)], to: questions[1].number) == .damaged)
        // An answer that came before, or to an earlier attempt.
        #expect(plan.take([], wrong: [], to: questions[0].number) == nil)
        #expect(plan.take([], wrong: [], to: 77) == nil)
    }

    @Test func whatAnAnswerLeavesOutIsAskedForAgain() throws {
        var plan = plan(10)
        let questions = plan.ask { _ in false }
        #expect(plan.take([id(0)], wrong: [], to: questions[0].number) == nil)
        #expect(plan.ask { _ in false }.first?.chunks == [id(1), id(4)])
    }
}
