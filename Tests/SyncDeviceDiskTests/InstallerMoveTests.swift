import Glibc
import SyncCore
import Testing

@testable import SyncDevice

@Suite struct InstallerMoveTests {
    let home: TemporaryHome
    let installer: Installer

    init() throws {
        home = try TemporaryHome()
        installer = Installer(home)
        mkdir(home.file("d"), 0o755)
    }

    private func move(_ from: String, _ to: String, expected: FileStamp) -> JobOutcome {
        installer.perform(.move(from: local(from), to: local(to), expected: expected))
    }

    @Test func movesAFile() throws {
        let stamp = try #require(installer.place("x", at: "a").stamp)
        let moved = try #require(move("a", "d/b", expected: stamp).stamp)
        #expect(moved.provesSameContent(as: stamp))
        #expect(try home.stamp("d/b") == moved)
        #expect(try home.entry("a") == nil)
    }

    @Test func movesAFolderWhatsoeverIsInIt() throws {
        let stamp = try home.stamp("d")
        try home.write("x", to: "d/a")
        #expect(move("d", "e", expected: stamp).stamp?.identity == stamp.identity)
        #expect(home.text("e/a") == "x")
    }

    @Test func neverMovesOntoSomething() throws {
        let stamp = try #require(installer.place("x", at: "a").stamp)
        try home.write("y", to: "b")
        #expect(move("a", "b", expected: stamp).isUnexpected)
        #expect(home.text("a") == "x")
        #expect(home.text("b") == "y")
    }

    @Test func doesNotMoveAnEditedFile() throws {
        let stamp = try #require(installer.place("x", at: "a").stamp)
        try home.write("edited", to: "a")
        #expect(move("a", "b", expected: stamp).found(try home.stamp("a")))
    }

    @Test func saysWhatIsMissing() throws {
        let stamp = try #require(installer.place("x", at: "a").stamp)
        #expect(move("a", "no/b", expected: stamp) == .failed(.missing))
        unlink(home.file("a"))
        #expect(move("a", "b", expected: stamp) == .unexpected(nil))
    }

    @Test func refusesToMoveAFolderIntoItself() throws {
        let stamp = try home.stamp("d")
        #expect(move("d", "d/d", expected: stamp) == .failed(.nameNotPossible))
    }

    @Test func parksAndUnparks() throws {
        let stamp = try #require(installer.place("x", at: "a").stamp)
        let parked = installer.perform(.park(from: local("a"), expected: stamp), item: 5)
        #expect(parked.stamp?.identity == stamp.identity)
        #expect(listing(home.tree) == ["d"])
        #expect(try installer.parkedItems() == [item(5)])
        let back = installer.perform(.unpark(to: local("d/z"), expected: stamp), item: 5)
        #expect(back.stamp?.identity == stamp.identity)
        #expect(home.text("d/z") == "x")
        #expect(try installer.parkedItems().isEmpty)
    }

    @Test func waitsToUnparkWhileTheNameIsTaken() throws {
        let stamp = try #require(installer.place("x", at: "a").stamp)
        #expect(installer.perform(.park(from: local("a"), expected: stamp)).stamp != nil)
        try home.write("y", to: "a")
        #expect(installer.perform(.unpark(to: local("a"), expected: stamp)) == .busy)
        unlink(home.file("a"))
        #expect(installer.perform(.unpark(to: local("a"), expected: stamp)).stamp != nil)
    }

    @Test func setsAsideWhatWasParkedUnderTheSameItem() throws {
        let one = try #require(installer.place("one", at: "a").stamp)
        let two = try #require(installer.place("two", at: "b").stamp)
        #expect(installer.perform(.park(from: local("a"), expected: one)).stamp != nil)
        #expect(installer.perform(.park(from: local("b"), expected: two)).stamp != nil)
        #expect(home.setAside == [item(1).text: "one"])
    }

    @Test func setsModes() throws {
        let file = try #require(installer.place("x", at: "a").stamp)
        let done = installer.perform(.setMode(at: local("a"), 0o600, expected: file))
        #expect(done.stamp?.mode == 0o600)
        #expect(try home.stamp("a").mode == 0o600)
        let folder = try home.stamp("d")
        let other = installer.perform(.setMode(at: local("d"), 0o700, expected: folder))
        #expect(other.stamp?.mode == 0o700)
        #expect(installer.perform(.setMode(at: local("d"), 0o711, expected: folder)).isUnexpected)
    }

    @Test func doesNotSetTheModeBehindALink() throws {
        let file = try #require(installer.place("x", at: "a").stamp)
        let link = try #require(installer.placeLink(to: "a", at: "l").stamp)
        #expect(installer.perform(.setMode(at: local("l"), 0o600, expected: link)).isUnexpected)
        #expect(try home.stamp("a").mode == file.mode)
    }

    @Test func makesAFolderOnce() throws {
        let made = installer.perform(.makeFolder(at: local("n"), mode: 0o510))
        #expect(made.stamp?.mode == 0o510)
        let again = installer.perform(.makeFolder(at: local("n"), mode: 0o755))
        #expect(again.found(try home.stamp("n")))
    }
}
