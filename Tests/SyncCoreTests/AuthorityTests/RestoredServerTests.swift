import SyncCore
import SyncStore
import Testing

/// What a server does that was restored, and what it is offered.
@Suite struct AuthorityHistoryTests {
    let account = TestAccount()

    private func decide(_ body: Operation.Body, after cursor: Position?) throws -> Decision {
        let request = OperationRequest(
            incarnation: Incarnation(7),
            operations: [
                ReceivedOperation(
                    operation: Operation(number: 1, age: 0, body: body), hash: .zero)
            ], cursor: cursor)
        let now = WallTime(milliseconds: 1)
        let sender = Sender(device: "a", now: now, lastContact: now, hash: testVault.hash)
        return try account.authority.decide(request, from: sender, reading: account.store)
    }

    @Test func operationsNeedACursorThatTheLogHas() throws {
        account.send(.create("n", at: "n", version: "v0"))
        let edit = Operation.Body.edit("n", "v1", from: ["v0"])
        let here = try account.store.position()
        let elsewhere = Position(number: 1, digest: .zero)
        let later = Position(number: 2, digest: here.digest)
        #expect(try decide(edit, after: elsewhere) == Decision(answer: .historyUnknown))
        #expect(try decide(edit, after: later) == Decision(answer: .historyUnknown))
        #expect(try decide(edit, after: here).answer == .outcomes([.accepted(number: 2)]))
        #expect(try decide(edit, after: .start).answer == .outcomes([.accepted(number: 2)]))
        #expect(try decide(edit, after: nil).answer == .outcomes([.accepted(number: 2)]))
    }

    @Test func aLostVersionTakesThePlaceOfItsAncestor() {
        account.send(.create("n", at: "n", version: "v3"))
        account.send(.edit("n", "v5", from: ["v4", "v3"]), by: "a")
        #expect(account.heads("n") == ["v5"])
    }

    @Test func anAncestorOfAHeadIsNoHead() {
        account.send(.create("n", at: "n", version: "v3"))
        account.send(.edit("n", "v6", from: ["v5", "v4", "v3"]), by: "a")
        account.send(.edit("n", "v7", from: ["v6"]), by: "a")
        let state = account.state("n")
        #expect(account.send(.edit("n", "v4", from: ["v3"]), by: "b").areAccepted)
        #expect(account.state("n")?.heads == state?.heads)
        #expect((try? account.store.kept("v4"))?.id == "v4")
        #expect(account.send(.edit("n", "v4", from: ["v3"]), by: "c").areAccepted)
        #expect(account.heads("n") == ["v7"])
    }

    @Test func anAncestorOfADeletionStaysInTheTrash() {
        account.send(.create("n", at: "n", version: "v0"))
        account.send(.delete("n", "v3", from: ["v2", "v1", "v0"]), by: "a")
        #expect(account.send(.edit("n", "v1", from: ["v0"]), by: "b").areAccepted)
        #expect(account.state("n")?.standing == .trashed)
        #expect(account.heads("n") == ["v3"])
        account.send(.edit("n", "v4", from: ["v1"]), by: "b")
        #expect(account.state("n")?.standing == .placed)
        #expect(account.heads("n") == ["v4"])
    }

    /// Deleted after it was merged, then revived by an edit from before the merge: what the merge
    /// was made of is offered again, and has no other merge than that.
    @Test func aMergeThatTheLogHasSettlesItsHeadsAgain() {
        account.send(.create("n", at: "n", version: "v0"))
        account.send(.edit("n", "m", from: ["a", "b", "v0"]), by: "a")
        account.send(.delete("n", "d", from: ["m"]), by: "a")
        account.send(.edit("n", "e", from: ["v0"]), by: "b")
        account.send(.edit("n", "a", from: ["v0"]), by: "b")
        account.send(.edit("n", "b", from: ["v0"]), by: "b")
        #expect(account.heads("n") == ["e", "a", "b"])
        #expect(account.send(.settle("n", "m", from: ["a", "b"]), by: "b").areAccepted)
        #expect(account.heads("n") == ["e", "m"])
        let position = try? account.store.position()
        #expect(account.send(.settle("n", "m", from: ["a", "b"]), by: "c").areAccepted)
        #expect(try! account.store.position() == position)
    }

    @Test func aVersionThatIsAnothersMakesAnAlias() {
        account.send(.create("holder", at: "n", version: "h0"))
        account.send(.edit("holder", "v0", from: []), by: "a")
        account.send(.create("n", at: "n", version: "v0"), by: "b")
        #expect(account.holder(of: "n") == "holder")
        #expect(account.heads("holder") == ["h0", "v0"])
    }

    @Test func aSnapshotNamesTheNewestCommonPosition() throws {
        account.send(.create("n", at: "n", version: "v0"))
        let first = try account.store.position()
        account.send(.create("m", at: "m", version: "m0"))
        account.send(.delete("n", "v1", from: ["v0"]))
        let foreign = Position(number: 2, digest: .zero)
        let snapshot = try account.authority.snapshot(
            for: [foreign, first, .start], at: 0, reading: account.store)
        #expect(snapshot.common == first)
        #expect(snapshot.position == (try account.store.position()))
        #expect(snapshot.items.map(\.id).sorted() == ["m", "n"].sorted())
        #expect(snapshot.items.first { $0.id == "n" }?.standing == .trashed)
    }

    @Test func aSnapshotHasAllButWhatIsLongGone() throws {
        account.send(.create("kept", at: "kept", version: "k0"))
        account.send(.create("old", at: "old", version: "o0"))
        account.send(.delete("old", "o1", from: ["o0"]))
        let common = try account.store.position()
        account.send(.create("new", at: "new", version: "n0"))
        account.send(.delete("new", "n1", from: ["n0"]))
        func items(_ landmarks: [Position], at collection: UInt64) throws -> Set<ItemID> {
            Set(
                try account.authority.snapshot(
                    for: landmarks, at: collection, reading: account.store
                ).items.map(\.id))
        }
        for number in 1...31 as ClosedRange<UInt64> {
            try account.store.begin()
            try account.store.apply([.collection(number, at: number == 1 ? common.number : 5)])
            try account.store.commit()
        }
        #expect(try items([common], at: 31) == ["kept", "new"])
        #expect(try items([common], at: 1) == ["kept", "old", "new"], "it can be restored")
        #expect(try items([.start], at: 31) == ["kept", "old", "new"], "it never knew of it")
    }
}
