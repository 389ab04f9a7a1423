import SyncCore
import Testing

/// A folder's deletion takes what its device had installed, and nothing else.
@Suite struct AuthorityFolderRemovalTests {
    let account = TestAccount()

    /// F (1), F/one (2), F/sub (3), F/sub/two (4).
    init() {
        account.send(
            .create("f", .folder, at: "F", version: "f0"),
            .create("one", at: "one", in: "f", version: "v1"),
            .create("sub", .folder, at: "sub", in: "f", version: "s0"),
            .create("two", at: "two", in: "sub", version: "v2"))
    }

    @Test func itTakesAllThatIsUnchanged() {
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 4))
        #expect(account.paths.isEmpty)
        for item: ItemID in ["f", "one", "sub", "two"] {
            #expect(account.standing(item) == .trashed)
        }
        #expect(account.length == 5, "one operation, one entry")
    }

    @Test func whatWasChangedSinceLivesOnWithTheFoldersAboveIt() {
        account.send(.edit("two", "v3", from: ["v2"]), by: "b")
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 4), by: "a")
        #expect(account.paths == ["F": "f", "F/sub": "sub", "F/sub/two": "two"])
    }

    @Test func whatArrivedSinceLivesOn() {
        account.send(.create("new", at: "new", in: "f", version: "n0"), by: "b")
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 4), by: "a")
        #expect(account.paths == ["F": "f", "F/new": "new"])
    }

    @Test func whatItsDeviceHadBeyondThePositionGoesToo() {
        account.send(.edit("two", "v3", from: ["v2"]), by: "a")
        account.send(
            .removeFolder("f", "d", from: ["f0"], installed: 4, beyond: ["v3"]), by: "a")
        #expect(account.paths.isEmpty)
    }

    @Test func aHeadThatItsDeviceDidNotHaveLivesOn() {
        account.send(.edit("two", "v3", from: ["v2"]), by: "a")
        account.send(.edit("two", "v4", from: ["v2"]), by: "b")
        account.send(
            .removeFolder("f", "d", from: ["f0"], installed: 4, beyond: ["v3"]), by: "a")
        #expect(account.paths == ["F": "f", "F/sub": "sub", "F/sub/two": "two"])
    }

    @Test func aNewNameAloneDoesNotSave() {
        account.send(.move("one", to: "renamed", in: "f", as: "p1"), by: "b")
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 4), by: "a")
        #expect(account.paths.isEmpty)
    }

    @Test func aMoveWithinTheFolderSaves() {
        account.send(.move("one", to: "one", in: "sub", as: "p1"), by: "b")
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 4), by: "a")
        #expect(account.paths == ["F": "f", "F/sub": "sub", "F/sub/one": "one"])
    }

    @Test func whatWasMovedOutIsNotInIt() {
        account.send(.move("one", to: "one", as: "p1"), by: "b")
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 4), by: "a")
        #expect(account.paths == ["one": "one"])
    }

    @Test func whatWasMovedInSinceLivesOn() {
        account.send(.create("out", at: "out", version: "o0"), by: "b")
        account.send(.move("out", to: "in", in: "f", as: "p1"), by: "b")
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 5), by: "a")
        #expect(account.paths == ["F": "f", "F/in": "out"])
    }

    @Test func itsOwnMoveOutInTheSameRequestSaves() {
        account.send(
            .move("one", to: "one", as: "p1"),
            .removeFolder("f", "d", from: ["f0"], installed: 4))
        #expect(account.paths == ["one": "one"])
    }

    @Test func aCreatedItemOfTheSameRequestGoesIfItIsNamed() {
        account.send(
            .create("new", at: "new", in: "f", version: "n0"),
            .removeFolder("f", "d", from: ["f0"], installed: 4, beyond: ["n0"]))
        #expect(account.paths.isEmpty)
    }

    @Test func theSameRemovalTwiceIsDoneOnce() {
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 4), by: "a")
        let again = account.send(.removeFolder("f", "d", from: ["f0"], installed: 4), by: "b")
        #expect(again == [.accepted(number: 5)])
    }

    @Test func twoRemovalsAreOne() {
        account.send(.removeFolder("f", "d1", from: ["f0"], installed: 4), by: "a")
        #expect(
            account.send(.removeFolder("f", "d2", from: ["f0"], installed: 4), by: "b")
                .areAccepted)
        #expect(account.length == 5)
    }

    @Test func aFileIsNoFolder() {
        #expect(
            account.send(.removeFolder("one", "d", from: ["v1"], installed: 4)).refusals
                == [.wrongKind])
        #expect(account.send(.delete("f", "d2", from: ["f0"])).refusals == [.malformed])
    }

    // MARK: Coming back

    @Test func anEditBringsBackItsFolders() {
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 4), by: "a")
        account.send(.edit("two", "v3", from: ["v2"]), by: "b")
        #expect(account.paths == ["F": "f", "F/sub": "sub", "F/sub/two": "two"])
        #expect(account.heads("f") == ["f0"])
        #expect(account.heads("sub") == ["s0"])
        #expect(account.standing("one") == .trashed)
    }

    @Test func aNewFileBringsBackItsFolders() {
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 4), by: "a")
        account.send(.create("new", at: "new", in: "sub", version: "n0"), by: "b")
        #expect(account.paths == ["F": "f", "F/sub": "sub", "F/sub/new": "new"])
    }

    @Test func aFolderWhoseNameIsTakenComesBackWithoutAPlace() {
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 4), by: "a")
        account.send(.create("g", .folder, at: "F", version: "g0"), by: "a")
        account.send(.edit("two", "v3", from: ["v2"]), by: "b")
        #expect(account.standing("f") == .unplaced)
        #expect(account.standing("two") == .placed)
        account.send(.move("f", to: "F 2", as: "p1"), by: "b")
        #expect(account.paths == ["F": "g", "F 2": "f", "F 2/sub": "sub", "F 2/sub/two": "two"])
    }

    @Test func anEditWhoseNameIsTakenInARevivedFolderHasNoPlace() {
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 4), by: "a")
        account.send(.create("new", .link, at: "one", in: "f", version: "n0"), by: "b")
        account.send(.edit("one", "v3", from: ["v1"]), by: "c")
        #expect(account.standing("one") == .unplaced)
        #expect(account.paths == ["F": "f", "F/one": "new"])
    }

    @Test func aSecondRemovalTakesWhatCameBack() {
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 4), by: "a")
        account.send(.edit("two", "v3", from: ["v2"]), by: "b")
        account.send(.removeFolder("f", "d2", from: ["f0"], installed: 6), by: "a")
        #expect(account.paths.isEmpty)
    }

    @Test func whatIsDeletedInARemovedFolderStaysDeleted() {
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 4), by: "a")
        account.send(.delete("two", "d3", from: ["v2"]), by: "b")
        #expect(account.standing("two") == .trashed)
        #expect(account.standing("f") == .trashed)
    }

    /// Its device had made a folder of the same name, whose version was never told.
    @Test func aFolderComesBackWithTheVersionThatStood() {
        account.send(.removeFolder("f", "d", from: ["unknown"], installed: 4), by: "b")
        account.send(.edit("one", "v3", from: ["v1"]), by: "a")
        #expect(account.paths == ["F": "f", "F/one": "one"])
        #expect(account.heads("f") == ["f0"])
    }
}
