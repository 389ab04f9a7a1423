import SyncCore
import SyncStore
import Testing

/// Creating, editing, deleting: what becomes of an item's heads.
@Suite struct AuthorityContentTests {
    let account = TestAccount()

    init() { account.send(.create("note", at: "note.md", version: "v0")) }

    @Test func aCreatedFileIsPlacedWithOneHead() {
        #expect(account.paths == ["note.md": "note"])
        #expect(account.heads("note") == ["v0"])
        #expect(account.length == 1)
    }

    @Test func anEditOfTheHeadMovesTheHead() {
        account.send(.edit("note", "v1", from: ["v0"]))
        #expect(account.heads("note") == ["v1"])
    }

    @Test func twoEditsOfOneVersionAreTwoHeadsInTheOrderOfTheLog() {
        account.send(.edit("note", "v1", from: ["v0"]), by: "a")
        account.send(.edit("note", "v2", from: ["v0"]), by: "b")
        #expect(account.heads("note") == ["v1", "v2"])
    }

    @Test func anEditTakesThePlaceOfTheHeadThatItReplaces() {
        account.send(.edit("note", "v1", from: ["v0"]), by: "a")
        account.send(.edit("note", "v2", from: ["v0"]), by: "b")
        account.send(.edit("note", "v3", from: ["v2"]), by: "b")
        #expect(account.heads("note") == ["v1", "v3"])
        account.send(.edit("note", "v4", from: ["v1"]), by: "a")
        #expect(account.heads("note") == ["v4", "v3"])
    }

    @Test func anEditOfAllHeadsIsTheOnlyHead() {
        account.send(.edit("note", "v1", from: ["v0"]), by: "a")
        account.send(.edit("note", "v2", from: ["v0"]), by: "b")
        account.send(.edit("note", "v3", from: ["v2", "v1"]), by: "b")
        #expect(account.heads("note") == ["v3"])
    }

    @Test func anUnknownParentMakesAFurtherHead() {
        #expect(account.send(.edit("note", "v9", from: ["lost"])).areAccepted)
        #expect(account.heads("note") == ["v0", "v9"])
    }

    @Test func anEditOfAnUnknownItemIsRefused() {
        #expect(account.send(.edit("other", "v1", from: [])).refusals == [.unknownItem])
    }

    @Test func aVersionThatTheLogHasIsAnsweredAsDone() {
        account.send(.edit("note", "v1", from: ["v0"]), by: "a")
        let again = account.send(.edit("note", "v1", from: ["v0"]), by: "b")
        #expect(again == [.accepted(number: 2)])
        #expect(account.length == 2)
    }

    // MARK: Deletions

    @Test func aDeletionOfTheOnlyHeadPutsTheItemIntoTheTrash() {
        account.send(.delete("note", "d", from: ["v0"]))
        #expect(account.standing("note") == .trashed)
        #expect(account.heads("note") == ["d"])
        #expect(account.paths.isEmpty)
    }

    @Test func aDeletionYieldsToAnEditThatItDidNotSee() {
        account.send(.edit("note", "v1", from: ["v0"]), by: "b")
        account.send(.delete("note", "d", from: ["v0"]), by: "a")
        #expect(account.heads("note") == ["v1"])
        #expect(account.standing("note") == .placed)
    }

    @Test func anEditOfWhatWasDeletedMeanwhileBringsItBack() {
        account.send(.delete("note", "d", from: ["v0"]), by: "a")
        account.send(.edit("note", "v1", from: ["v0"]), by: "b")
        #expect(account.heads("note") == ["v1"])
        #expect(account.paths == ["note.md": "note"])
    }

    @Test func aDeletionOfOneOfTwoHeadsLeavesTheOther() {
        account.send(.edit("note", "v1", from: ["v0"]), by: "a")
        account.send(.edit("note", "v2", from: ["v0"]), by: "b")
        account.send(.delete("note", "d", from: ["v1"]), by: "a")
        #expect(account.heads("note") == ["v2"])
    }

    @Test func twoDeletionsAreOneDeletedItem() {
        account.send(.delete("note", "d1", from: ["v0"]), by: "a")
        account.send(.delete("note", "d2", from: ["v0"]), by: "b")
        #expect(account.standing("note") == .trashed)
    }

    @Test func aVersionOnTopOfADeletionRestores() {
        account.send(.delete("note", "d", from: ["v0"]), by: "a")
        account.send(.edit("note", "v1", from: ["d"]), by: "a")
        #expect(account.heads("note") == ["v1"])
        #expect(account.paths == ["note.md": "note"])
    }

    @Test func whatIsRestoredUnderATakenNameHasNoPlaceUntilItIsGivenOne() {
        account.send(.delete("note", "d", from: ["v0"]))
        account.send(.create("new", at: "note.md", version: "n0"))
        account.send(.edit("note", "v1", from: ["d"]))
        #expect(account.standing("note") == .unplaced)
        #expect(account.paths == ["note.md": "new"])
        account.send(.move("note", to: "note 2.md", as: "p1"))
        #expect(account.paths == ["note.md": "new", "note 2.md": "note"])
    }

    // MARK: Settlements

    @Test func aSettlementIsTakenWhileItsParentsAreHeads() {
        account.send(.edit("note", "v1", from: ["v0"]), by: "a")
        account.send(.edit("note", "v2", from: ["v0"]), by: "b")
        #expect(account.send(.settle("note", "m", from: ["v1", "v2"]), by: "b").areAccepted)
        #expect(account.heads("note") == ["m"])
    }

    @Test func aSettlementWithAParentThatIsNoHeadAnyMoreIsRefused() {
        account.send(.edit("note", "v1", from: ["v0"]), by: "a")
        account.send(.edit("note", "v2", from: ["v0"]), by: "b")
        account.send(.edit("note", "v3", from: ["v1"]), by: "a")
        let late = account.send(.settle("note", "m", from: ["v1", "v2"]), by: "b")
        #expect(late.refusals == [.staleParents])
        #expect(account.heads("note") == ["v3", "v2"])
    }

    @Test func theFirstSettlementStands() {
        account.send(.edit("note", "v1", from: ["v0"]), by: "a")
        account.send(.edit("note", "v2", from: ["v0"]), by: "b")
        account.send(.settle("note", "m1", from: ["v1", "v2"]), by: "a")
        let second = account.send(.settle("note", "m2", from: ["v1", "v2"]), by: "b")
        #expect(second.refusals == [.staleParents])
        #expect(account.heads("note") == ["m1"])
    }

    @Test func aSettlementOfTwoHeadsLeavesTheThird() {
        account.send(.edit("note", "v1", from: ["v0"]), by: "a")
        account.send(.edit("note", "v2", from: ["v0"]), by: "b")
        account.send(.edit("note", "v3", from: ["v0"]), by: "c")
        account.send(.settle("note", "m", from: ["v1", "v2"]), by: "a")
        #expect(account.heads("note") == ["m", "v3"])
    }

    @Test func aSettlementOfNothingIsRefused() {
        #expect(account.send(.settle("note", "m", from: [])).refusals == [.staleParents])
    }

    @Test func anEditIsTakenThoughTheSettlementBesideItIsStale() {
        account.send(.edit("note", "v1", from: ["v0"]), by: "a")
        account.send(.edit("note", "v3", from: ["v1"]), by: "a")
        let outcomes = account.send(
            .edit("note", "v2", from: ["v0"]), .settle("note", "m", from: ["v1", "v2"]), by: "b")
        #expect(outcomes.refusals == [nil, .staleParents])
        #expect(account.heads("note") == ["v3", "v2"])
    }

    // MARK: Chunks

    private func chunked(_ id: ChunkID) -> StoredContent {
        .chunks([ChunkReference(id: id, size: 3)])
    }

    @Test func contentWhoseChunksAreMissingIsRefusedAndTakenOnceTheyAreThere() throws {
        let chunk = testVault.hash([1, 2, 3])
        let missing = account.send(
            .create("big", at: "big", version: "b0", content: chunked(chunk)))
        #expect(missing.refusals == [.chunksMissing])
        try account.addChunk(chunk, size: 3)
        #expect(
            account.send(.create("big", at: "big", version: "b0", content: chunked(chunk)))
                .areAccepted)
    }

    @Test func whatRestsOnAnItemWithoutItsChunksIsRefusedWithIt() {
        let chunk = testVault.hash([1])
        let outcomes = account.send(
            .create("big", at: "big", version: "b0", content: chunked(chunk)),
            .edit("big", "b1", from: ["b0"]),
            .move("big", to: "bigger", as: "p1"),
            .create("small", at: "small", version: "s0"))
        #expect(outcomes.refusals == [.chunksMissing, .restsOnRefused, .restsOnRefused, nil])
    }

    @Test func anEditOnTopOfOneWithoutItsChunksWaitsForIt() throws {
        let chunk = testVault.hash([1])
        let outcomes = account.send(
            .edit("note", "v1", from: ["v0"], content: chunked(chunk)),
            .edit("note", "v2", from: ["v1"]),
            .move("note", to: "renamed.md", as: "p1"))
        #expect(outcomes.refusals == [.chunksMissing, .restsOnRefused, nil])
        try account.addChunk(chunk, size: 3)
        account.send(
            .edit("note", "v1", from: ["v0"], content: chunked(chunk)),
            .edit("note", "v2", from: ["v1"]))
        #expect(account.heads("note") == ["v2"])
    }

    @Test func aChunkThatIsMarkedForCollectionCountsAsMissing() throws {
        let chunk = testVault.hash([1, 2, 3])
        try account.addChunk(chunk, size: 3)
        try account.store.begin()
        try account.store.markChunk(chunk)
        try account.store.commit()
        let outcomes = account.send(
            .edit("note", "v1", from: ["v0"], content: chunked(chunk)))
        #expect(outcomes.refusals == [.chunksMissing])
    }
}
