import SyncCore
import Testing

/// One name, two items.
@Suite struct AuthorityNameTests {
    let account = TestAccount()

    @Test func aFileCreatedUnderAFilesNameBecomesItsFurtherHead() {
        account.send(.create("one", at: "today.md", version: "v1"), by: "a")
        account.send(.create("two", at: "today.md", version: "v2"), by: "b")
        #expect(account.paths == ["today.md": "one"])
        #expect(account.heads("one") == ["v1", "v2"])
        #expect(account.holder(of: "two") == "one")
    }

    @Test func laterOperationsOnTheSecondItemGoToTheHolder() {
        account.send(.create("one", at: "today.md", version: "v1"), by: "a")
        account.send(.create("two", at: "today.md", version: "v2"), by: "b")
        account.send(.edit("two", "v3", from: ["v2"]), by: "b")
        #expect(account.heads("one") == ["v1", "v3"])
        account.send(.delete("two", "d", from: ["v3"]), by: "b")
        #expect(account.heads("one") == ["v1"])
    }

    @Test func aCreatedFolderBecomesTheHolder() {
        account.send(.create("one", .folder, at: "notes", version: "f1"), by: "a")
        account.send(
            .create("two", .folder, at: "notes", version: "f2"),
            .create("in", at: "in.md", in: "two", version: "v0"), by: "b")
        #expect(account.paths == ["notes": "one", "notes/in.md": "in"])
        #expect(account.heads("one") == ["f1"])
        #expect(account.holder(of: "two") == "one")
    }

    @Test func whatIsInTwoFoldersOfOneNameMeetsToo() {
        account.send(
            .create("f1", .folder, at: "notes", version: "f1"),
            .create("n1", at: "in.md", in: "f1", version: "v1"), by: "a")
        account.send(
            .create("f2", .folder, at: "notes", version: "f2"),
            .create("n2", at: "in.md", in: "f2", version: "v2"), by: "b")
        #expect(account.heads("n1") == ["v1", "v2"])
    }

    @Test(arguments: [Kind.folder, .link, .package])
    func anotherKindUnderTheNameHasNoPlace(kind: Kind) {
        account.send(.create("one", at: "x", version: "v1"), by: "a")
        account.send(.create("two", kind, at: "x", version: "v2"), by: "b")
        #expect(account.paths == ["x": "one"])
        #expect(account.standing("two") == .unplaced)
        account.send(.move("two", to: "x 2", as: "p"), by: "b")
        #expect(account.paths == ["x": "one", "x 2": "two"])
    }

    @Test func aPackageCreatedUnderAPackagesNameBecomesItsFurtherHead() {
        account.send(.create("one", .package, at: "x.textbundle", version: "v1"), by: "a")
        account.send(.create("two", .package, at: "x.textbundle", version: "v2"), by: "b")
        #expect(account.heads("one") == ["v1", "v2"])
    }

    @Test func aMoveOntoATakenNameIsRefused() {
        account.send(
            .create("one", at: "one", version: "v1"), .create("two", at: "two", version: "v2"))
        #expect(account.send(.move("two", to: "one", as: "p")).refusals == [.nameTaken])
        #expect(account.paths == ["one": "one", "two": "two"])
    }

    @Test func aNameThatIsFreeAgainAtTheEndOfTheRequestCanBeTaken() {
        account.send(.create("one", at: "n", version: "v1"))
        let outcomes = account.send(
            .create("two", at: "n", version: "v2"), .move("one", to: "old", as: "p"))
        #expect(outcomes.areAccepted)
        #expect(account.paths == ["n": "two", "old": "one"])
    }

    @Test func aCreatedItemThatMovesAwayInTheSameRequestLeavesTheHolderAlone() {
        account.send(.create("one", at: "n", version: "v1"), by: "a")
        let outcomes = account.send(
            .create("two", at: "n", version: "v2"), .move("two", to: "m", as: "p"), by: "b")
        #expect(outcomes.areAccepted)
        #expect(account.paths == ["n": "one", "m": "two"])
        #expect(account.heads("one") == ["v1"])
    }

    @Test func aCreatedItemThatMovesOntoATakenNameStaysWhereItWasCreated() {
        account.send(.create("one", at: "n", version: "v1"), by: "a")
        let outcomes = account.send(
            .create("two", at: "tmp", version: "v2"), .move("two", to: "n", as: "p"), by: "b")
        #expect(outcomes.refusals == [nil, .nameTaken])
        #expect(account.paths == ["n": "one", "tmp": "two"])
    }

    @Test func twoNamesAreSwappedInOneRequest() {
        account.send(
            .create("one", at: "a", version: "v1"), .create("two", at: "b", version: "v2"))
        let outcomes = account.send(
            .move("one", to: "b", as: "p1"), .move("two", to: "a", as: "p2"))
        #expect(outcomes.areAccepted)
        #expect(account.paths == ["b": "one", "a": "two"])
    }

    @Test func threeNamesGoRoundInOneRequest() {
        account.send(
            .create("one", at: "a", version: "v1"), .create("two", at: "b", version: "v2"),
            .create("three", at: "c", version: "v3"))
        let outcomes = account.send(
            .move("one", to: "b", as: "p1"), .move("two", to: "c", as: "p2"),
            .move("three", to: "a", as: "p3"))
        #expect(outcomes.areAccepted)
        #expect(account.paths == ["b": "one", "c": "two", "a": "three"])
    }

    @Test func ofASwapWithAStaleHalfTheOtherHalfIsRefusedToo() {
        account.send(
            .create("one", at: "a", version: "v1"), .create("two", at: "b", version: "v2"))
        account.send(.move("two", to: "elsewhere", as: "q"), by: "b")
        account.send(.create("three", at: "b", version: "v3"), by: "b")
        let outcomes = account.send(
            .move("one", to: "b", as: "p1"), .move("two", to: "a", as: "p2"), by: "a")
        #expect(outcomes.refusals == [.nameTaken, .stalePlace])
        #expect(account.paths == ["a": "one", "elsewhere": "two", "b": "three"])
    }

    @Test func severalClashesInOneRequestAreEachAnswered() {
        account.send(
            .create("one", at: "a", version: "v1"), .create("two", at: "b", version: "v2"),
            .create("f", .folder, at: "c", version: "f0"), by: "a")
        let outcomes = account.send(
            .create("x", at: "a", version: "x0"), .create("y", .link, at: "b", version: "y0"),
            .create("g", .folder, at: "c", version: "g0"),
            .create("z", at: "in", in: "g", version: "z0"),
            .create("w", at: "free", version: "w0"), .move("w", to: "a", as: "p"), by: "b")
        #expect(outcomes.refusals == [nil, nil, nil, nil, nil, .nameTaken])
        #expect(account.heads("one") == ["v1", "x0"])
        #expect(account.standing("y") == .unplaced)
        #expect(account.paths["c/in"] == "z")
        #expect(account.paths["free"] == "w")
    }

    @Test func aChainOfMovesFallsBackFromItsEnd() {
        account.send(
            .create("one", at: "a", version: "v1"), .create("two", at: "b", version: "v2"),
            .create("three", at: "c", version: "v3"), by: "a")
        // `three` stays, so `two` cannot have its name, so `one` cannot have that of `two`.
        let outcomes = account.send(
            .move("one", to: "b", as: "p1"), .move("two", to: "c", as: "p2"), by: "a")
        #expect(outcomes.refusals == [.nameTaken, .nameTaken])
        #expect(account.paths == ["a": "one", "b": "two", "c": "three"])
    }

    @Test func theNameOfADeletedFileIsFree() {
        account.send(.create("one", at: "n", version: "v1"))
        let outcomes = account.send(
            .delete("one", "d", from: ["v1"]), .create("two", .folder, at: "n", version: "v2"))
        #expect(outcomes.areAccepted)
        #expect(account.paths == ["n": "two"])
    }

    @Test func aCreateWithAnIdThatIsKnownIsAnotherEdit() {
        account.send(.create("one", at: "n", version: "v1"), by: "a")
        account.send(.create("one", at: "m", version: "v2"), by: "b")
        #expect(account.paths == ["n": "one"])
        #expect(account.heads("one") == ["v1", "v2"])
        #expect(
            account.send(.create("one", .folder, at: "k", version: "v3")).refusals
                == [.wrongKind])
    }

    @Test func aContainerThatTwoDevicesMakeIsOne() {
        account.send(.create("home", .folder, at: "home", version: "h0"), by: "a")
        account.send(.create("home", .folder, at: "home", version: "h1"), by: "b")
        #expect(account.heads("home") == ["h0"])
        #expect(account.length == 1)
    }
}
