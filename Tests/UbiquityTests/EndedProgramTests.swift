import Foundation
import Testing

/// A program that is ended by a signal, with a document open that is not saved yet.
@Suite(.timeLimit(.minutes(1)), .serialized) struct EndedProgramTests {
    private let home: TestHome
    private let file: URL

    init() throws {
        home = try TestHome()
        file = home.url.appendingPathComponent("note.txt")
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func whatIsTypedIsSavedBeforeTheEnd(_ number: Int32) async throws {
        let program = try Program("ended", [file.path], home: home.url)
        #expect(await program.says("typed"))
        program.send(number)
        #expect(await program.says("about to end"))
        #expect(await program.ended() == number)
        #expect(try String(contentsOf: file, encoding: .utf8) == "typed and this")
    }

    /// It can save nothing any more, and ends all the same.
    @Test func aProgramThatHangsIsEnded() async throws {
        let program = try Program("ended", [file.path, "block"], home: home.url)
        #expect(await program.says("typed"))
        program.send(SIGTERM)
        #expect(await program.ended() == SIGTERM)
    }
}
