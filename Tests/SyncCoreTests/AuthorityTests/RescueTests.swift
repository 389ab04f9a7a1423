import SyncCore
import Testing

/// A move out of a folder that was deleted meanwhile counts, whichever came first.
@Suite struct RescueTests {
    let account = TestAccount()

    /// F, F/one, F/sub, F/sub/two, G.
    init() {
        account.send(
            .create("f", .folder, at: "F", version: "f0"),
            .create("one", at: "one", in: "f", version: "v1", content: .inline([1])),
            .create("sub", .folder, at: "sub", in: "f", version: "s0"),
            .create("two", at: "two", in: "sub", version: "v2", content: .inline([2])),
            .create("g", .folder, at: "G", version: "g0"))
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 5), by: "a")
    }

    @Test func aMoveOutOfADeletedFolderBringsBackWhatItMoves() {
        #expect(account.paths == ["G": "g"])
        #expect(account.send(.move("sub", to: "sub", in: "g", as: "p"), by: "b").areAccepted)
        #expect(account.paths == ["G": "g", "G/sub": "sub", "G/sub/two": "two"])
        #expect(account.heads("two") == ["v2"], "as it was")
        #expect(account.standing("one") == .trashed)
        account.send(.edit("two", "v3", from: ["v2"]), by: "b")
        #expect(account.heads("two") == ["v3"])
    }

    @Test func aNewNameInTheDeletedFolderDoesNot() {
        let moved = account.send(.move("one", to: "uno", in: "f", as: "p"), by: "b")
        #expect(moved.refusals == [.stalePlace])
        #expect(account.paths == ["G": "g"])
    }

    @Test func whatWasDeletedForItselfStaysThere() {
        account.send(.edit("two", "v3", from: ["v2"]), by: "b")
        account.send(.delete("two", "d2", from: ["v3"]), by: "b")
        let moved = account.send(.move("two", to: "two", in: "g", as: "p"), by: "c")
        #expect(moved.refusals == [.stalePlace])
    }

    @Test func aTakenNameRefusesIt() {
        account.send(.create("other", at: "one", in: "g", version: "o0"), by: "a")
        let moved = account.send(.move("one", to: "one", in: "g", as: "p"), by: "b")
        #expect(moved.refusals == [.nameTaken])
        #expect(account.standing("one") == .trashed)
    }

    @Test func whatIsNoOrdinaryOperationIsNotTaken() {
        let version = Version(
            id: "x", parents: [], nature: .settlement, facts: [], content: .none)
        let created = account.send(
            .create(
                item: "x", kind: .file,
                placement: Placement(
                    id: "xp", replaces: nil, folder: .top, tag: testVault.tag([1]), name: [1]),
                version: version))
        #expect(created.refusals == [.malformed], "nobody's typing makes no item")
        let restored = account.send(
            .restoreFolder(
                FolderRestoration(
                    folder: "f", deletion: "d",
                    version: Version(
                        id: "r", parents: ["d"], nature: .deletion, facts: [], content: .none))))
        #expect(restored.refusals == [.malformed])
        let removed = account.send(
            .removeFolder(
                FolderRemoval(folder: "g", version: version, installed: 6, beyond: [])))
        #expect(removed.refusals == [.malformed])
        let deleted = account.send(.delete("g", "gd", from: ["g0"]))
        #expect(deleted.refusals == [.malformed], "a folder goes with what is in it")
        let moved = account.send(.move("g", to: "g", in: "nowhere", as: "gp"))
        #expect(moved.refusals == [.folderGone])
        #expect(account.paths == ["G": "g"])
    }
}
