import SyncCore
import Testing

/// Moves and renames: the first accepted stands.
@Suite struct AuthorityPlaceTests {
    let account = TestAccount()

    init() {
        account.send(
            .create("x", .folder, at: "X", version: "x0"),
            .create("y", .folder, at: "Y", version: "y0"),
            .create("n", at: "n", in: "x", version: "v0"))
    }

    @Test func aMoveToAnotherFolderKeepsTheItem() {
        account.send(.move("n", to: "m", in: "y", as: "p1"))
        #expect(account.paths == ["X": "x", "Y": "y", "Y/m": "n"])
        #expect(account.heads("n") == ["v0"])
    }

    @Test func aFolderTakesItsContentAlong() {
        account.send(.move("x", to: "X", in: "y", as: "p1"))
        #expect(account.paths == ["Y": "y", "Y/X": "x", "Y/X/n": "n"])
    }

    @Test func theSecondOfTwoRenamesIsStale() {
        account.send(.move("n", to: "one", in: "x", as: "p1"), by: "a")
        let second = account.send(.move("n", to: "two", in: "x", as: "p2"), by: "b")
        #expect(second.refusals == [.stalePlace])
        #expect(account.paths["X/one"] == "n")
    }

    @Test func theSameMoveTwiceIsDoneOnce() {
        account.send(.move("n", to: "one", in: "x", as: "p1"), by: "a")
        #expect(account.send(.move("n", to: "one", in: "x", as: "p1"), by: "b").areAccepted)
        #expect(account.length == 4)
    }

    @Test func aMoveIntoItselfIsACycle() {
        #expect(account.send(.move("x", to: "X", in: "x", as: "p1")).refusals == [.cycle])
    }

    @Test func aMoveBelowItselfIsACycle() {
        account.send(.move("y", to: "Y", in: "x", as: "p1"))
        let outcomes = account.send(.move("x", to: "X", in: "y", as: "p2"))
        #expect(outcomes.refusals == [.cycle])
    }

    @Test func ofTwoCrossingMovesTheSecondIsRefused() {
        account.send(.move("x", to: "X", in: "y", as: "p1"), by: "a")
        let second = account.send(.move("y", to: "Y", in: "x", as: "p2"), by: "b")
        #expect(second.refusals == [.cycle])
        #expect(account.paths["Y/X/n"] == "n")
    }

    /// What comes after a move into itself is decided before the move is judged.
    @Test func aCycleEndsNothingElseOfItsRequest() {
        account.send(.move("y", to: "Y", in: "x", as: "p1"), by: "b")
        let outcomes = account.send(
            .move("x", to: "X", in: "y", as: "p2"),
            .removeFolder("y", "d", from: ["y0"], installed: 4),
            .edit("n", "v1", from: ["v0"]), .restoreFolder("y", "r", undoing: "d"), by: "a")
        #expect(outcomes.refusals == [.cycle, nil, nil, nil])
        #expect(account.paths == ["X": "x", "X/Y": "y", "X/n": "n"])
        #expect(account.heads("n") == ["v1"])
    }

    @Test func crossingMovesInOneRequestLoseTheLast() {
        let outcomes = account.send(
            .move("x", to: "X", in: "y", as: "p1"), .move("y", to: "Y", in: "x", as: "p2"))
        #expect(outcomes.refusals == [nil, .cycle])
    }

    @Test func aCycleOfThreeLosesTheLast() {
        account.send(.create("z", .folder, at: "Z", version: "z0"))
        let outcomes = account.send(
            .move("x", to: "X", in: "y", as: "p1"), .move("y", to: "Y", in: "z", as: "p2"),
            .move("z", to: "Z", in: "x", as: "p3"))
        #expect(outcomes.refusals == [nil, nil, .cycle])
        #expect(account.paths["Z/Y/X/n"] == "n")
    }

    @Test func aFolderAndItsParentChangePlacesInOneRequest() {
        account.send(.create("in", .folder, at: "in", in: "x", version: "i0"))
        let outcomes = account.send(
            .move("in", to: "in", as: "p1"), .move("x", to: "X", in: "in", as: "p2"))
        #expect(outcomes.areAccepted)
        #expect(account.paths == ["Y": "y", "in": "in", "in/X": "x", "in/X/n": "n"])
    }

    @Test func aMoveIntoADeletedFolderIsRefused() {
        account.send(.removeFolder("y", "d", from: ["y0"], installed: 3), by: "a")
        let outcomes = account.send(.move("n", to: "n", in: "y", as: "p1"), by: "b")
        #expect(outcomes.refusals == [.folderGone])
        #expect(account.paths["X/n"] == "n")
    }

    @Test func aMoveIntoAFileIsRefused() {
        let outcomes = account.send(.move("y", to: "Y", in: "n", as: "p1"))
        #expect(outcomes.refusals == [.folderGone])
    }

    @Test func aMoveOfADeletedItemIsStale() {
        account.send(.delete("n", "d", from: ["v0"]), by: "a")
        let outcomes = account.send(.move("n", to: "m", in: "x", as: "p1"), by: "b")
        #expect(outcomes.refusals == [.stalePlace])
    }

    @Test func aMoveOfAnUnknownItemIsRefused() {
        let outcomes = account.send(.move("who", to: "m", as: "p1"))
        #expect(outcomes.refusals == [.unknownItem])
    }

    @Test func anItemInAFolderThatIsMadeInTheSameRequestIsPlaced() {
        let outcomes = account.send(
            .create("new", .folder, at: "new", version: "f0"),
            .move("n", to: "n", in: "new", as: "p1"))
        #expect(outcomes.areAccepted)
        #expect(account.paths["new/n"] == "n")
    }

    @Test func newContentInAnUnknownFolderHasNoPlace() {
        account.send(.create("lost", at: "lost", in: "nowhere", version: "l0"))
        #expect(account.standing("lost") == .unplaced)
        account.send(.move("lost", to: "found", in: "x", as: "p1"))
        #expect(account.paths["X/found"] == "lost")
    }
}
