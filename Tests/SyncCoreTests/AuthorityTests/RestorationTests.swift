import SyncCore
import SyncStore
import Testing

/// What comes back from the trash, and where.
@Suite struct AuthorityRestorationTests {
    let account = TestAccount()

    /// F (1), F/one (2), F/sub (3), F/sub/two (4).
    init() {
        account.send(
            .create("f", .folder, at: "F", version: "f0"),
            .create("one", at: "one", in: "f", version: "v1", content: .inline([1])),
            .create("sub", .folder, at: "sub", in: "f", version: "s0"),
            .create("two", at: "two", in: "sub", version: "v2", content: .inline([2])))
    }

    private func removeFolder() {
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 4))
    }

    private var paths: [String: ItemID] { account.paths }
    private let whole: [String: ItemID] = [
        "F": "f", "F/one": "one", "F/sub": "sub", "F/sub/two": "two",
    ]

    // MARK: Folders

    @Test func aFolderComesBackWithAllThatItsDeletionTook() {
        removeFolder()
        #expect(account.send(.restoreFolder("f", "r", undoing: "d")).areAccepted)
        #expect(paths == whole)
        #expect(account.length == 6, "one operation, one entry")
    }

    @Test func whatComesBackHasANewVersionWithTheOldContent() throws {
        removeFolder()
        account.send(.restoreFolder("f", "r", undoing: "d"))
        let head = try #require(account.heads("one").first)
        #expect(head != "v1")
        #expect(try account.store.kept(head)?.content == .inline([1]))
        let parents = try #require(try account.store.version(head)?.parents)
        #expect(try account.store.version(parents[0])?.nature == .deletion)
    }

    @Test func whatWasDeletedBeforeStaysInTheTrash() {
        account.send(.delete("one", "d1", from: ["v1"]))
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 5))
        account.send(.restoreFolder("f", "r", undoing: "d"))
        #expect(paths == ["F": "f", "F/sub": "sub", "F/sub/two": "two"])
        #expect(account.standing("one") == .trashed)
    }

    @Test func whatWasSweptBeforeComesBackToo() {
        account.send(.delete("one", "d1", from: ["v1"]))
        account.send(.removeFolder("sub", "ds", from: ["s0"], installed: 5))
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 6))
        account.send(.restoreFolder("f", "r", undoing: "d", and: ["d1", "ds"]))
        #expect(paths == whole)
        #expect(account.heads("two").first != "v2", "what the folder in it had taken, too")
    }

    @Test func whatWasSweptFromElsewhereStaysInTheTrash() {
        account.send(.create("x", at: "x", version: "x0", content: .inline([3])))
        account.send(.delete("x", "dx", from: ["x0"]))
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 6))
        account.send(.restoreFolder("f", "r", undoing: "d", and: ["dx"]))
        #expect(paths == whole)
    }

    @Test func anOlderDeletionOfTheOldVersionDoesNotTakeItAgain() {
        removeFolder()
        account.send(.restoreFolder("f", "r", undoing: "d"))
        account.send(.delete("one", "late", from: ["v1"]), by: "b")
        #expect(paths == whole)
    }

    @Test func twoHeadsComeBackAsTwo() {
        account.send(.edit("one", "v3", from: [], content: .inline([3])), by: "b")
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 5))
        account.send(.restoreFolder("f", "r", undoing: "d"))
        #expect(account.heads("one").count == 2)
        #expect(account.standing("one") == .placed)
    }

    @Test func whatAnEditBroughtBackIsJoinedByTheRest() {
        removeFolder()
        account.send(.edit("two", "v3", from: ["v2"], content: .inline([3])), by: "b")
        #expect(paths == ["F": "f", "F/sub": "sub", "F/sub/two": "two"])
        #expect(account.send(.restoreFolder("f", "r", undoing: "d")).areAccepted)
        #expect(paths == whole)
        #expect(account.heads("two") == ["v3"], "the newer content stays")
    }

    @Test func aTakenNameLeavesTheFolderWithoutAPlace() {
        removeFolder()
        account.send(.create("other", .folder, at: "F", version: "o0"), by: "b")
        #expect(account.send(.restoreFolder("f", "r", undoing: "d")).areAccepted)
        #expect(account.standing("f") == .unplaced)
        #expect(account.standing("one") == .placed, "it is in its folder")
        account.send(.move("f", to: "F 2", as: "p2"))
        #expect(paths["F 2/sub/two"] == "two")
    }

    @Test func aTakenNameWithinLeavesOneMemberWithoutAPlace() {
        removeFolder()
        account.send(
            .create("new", at: "new", in: "f", version: "n0"),
            .create("one2", at: "one", in: "f", version: "o0"), by: "b")
        #expect(account.send(.restoreFolder("f", "r", undoing: "d")).areAccepted)
        #expect(account.standing("one") == .unplaced)
        #expect(paths["F/one"] == "one2")
        #expect(paths["F/sub/two"] == "two")
    }

    @Test func theFoldersAboveComeBackToo() {
        account.send(.removeFolder("sub", "d1", from: ["s0"], installed: 4))
        account.send(.removeFolder("f", "d2", from: ["f0"], installed: 5))
        #expect(account.send(.restoreFolder("sub", "r", undoing: "d1")).areAccepted)
        #expect(paths == ["F": "f", "F/sub": "sub", "F/sub/two": "two"])
    }

    @Test func itIsDoneOnce() {
        removeFolder()
        account.send(.restoreFolder("f", "r", undoing: "d"), by: "a")
        let length = account.length
        #expect(account.send(.restoreFolder("f", "r", undoing: "d"), by: "b").areAccepted)
        #expect(account.send(.restoreFolder("f", "other", undoing: "d"), by: "b").areAccepted)
        #expect(account.length == length)
    }

    @Test func whatIsNoFolderIsRefused() {
        account.send(.delete("one", "d1", from: ["v1"]))
        #expect(
            account.send(.restoreFolder("one", "r", undoing: "d1")).refusals == [.wrongKind])
        #expect(
            account.send(.restoreFolder("none", "r", undoing: "d1")).refusals == [.unknownItem])
    }

    @Test func itIsDeletedAndRestoredAgain() {
        removeFolder()
        account.send(.restoreFolder("f", "r", undoing: "d"))
        let length = UInt64(account.length)
        account.send(.removeFolder("f", "d2", from: ["r"], installed: length))
        #expect(paths.isEmpty)
        account.send(.restoreFolder("f", "r2", undoing: "d2"))
        #expect(paths == whole)
    }

    // MARK: Files

    @Test func aFileComesBackByAnEditOfItsDeletion() {
        account.send(.delete("one", "d1", from: ["v1"]))
        account.send(.edit("one", "r1", from: ["d1"], content: .inline([1])), by: "b")
        #expect(paths == whole)
        #expect(account.heads("one") == ["r1"])
    }

    @Test func aFileBringsTheFoldersThatWentWithIt() {
        removeFolder()
        let deletion = account.heads("two")
        account.send(.edit("two", "r2", from: deletion, content: .inline([2])))
        #expect(paths == ["F": "f", "F/sub": "sub", "F/sub/two": "two"])
    }

    @Test func aFileWhoseNameIsTakenHasNoPlace() {
        account.send(.delete("one", "d1", from: ["v1"]))
        account.send(.create("one2", at: "one", in: "f", version: "o0"))
        account.send(.edit("one", "r1", from: ["d1"]))
        #expect(account.standing("one") == .unplaced)
        #expect(paths["F/one"] == "one2")
    }
}
