import SyncCore
import Testing

/// Numbers: what comes twice is answered twice and done once.
@Suite struct AuthorityReplayTests {
    let account = TestAccount()

    private func operation(_ number: UInt64, _ body: Operation.Body) -> Operation {
        Operation(number: number, age: 0, body: body)
    }

    private func decide(
        _ operations: Operation..., incarnation: UInt64 = 7, by device: DeviceID = "a"
    ) -> Decision {
        account.decide(operations, of: Incarnation(incarnation), by: device)
    }

    @Test func aReplayIsAnsweredAsTheFirstTime() {
        let first = operation(1, .create("n", at: "n", version: "v0"))
        let second = operation(2, .move("n", to: "m", as: "p", replacing: "stale"))
        let answer = decide(first, second).answer
        #expect(answer == .outcomes([.accepted(number: 1), .refused(.stalePlace)]))
        let again = decide(first, second)
        #expect(again.answer == answer)
        #expect(again.changes.isEmpty)
    }

    @Test func aReplayMayBringMore() {
        let first = operation(1, .create("n", at: "n", version: "v0"))
        _ = decide(first)
        let second = operation(2, .edit("n", "v1", from: ["v0"]))
        #expect(
            decide(first, second).answer
                == .outcomes([.accepted(number: 1), .accepted(number: 2)]))
        #expect(account.heads("n") == ["v1"])
    }

    /// A copy of what a choice drops is in the log with the choice, or not at all.
    @Test func whatRestsOnAChoiceSharesItsOutcome() {
        func settle(_ version: VersionID, _ copy: ItemID, by device: DeviceID) -> RequestAnswer {
            let choice = Operation.Body.edit(
                item: "n",
                version: Version(
                    id: version, parents: ["v1", "v2"], nature: .settlement, facts: [],
                    content: .inline([1])))
            return account.decide(
                [
                    operation(1, choice),
                    Operation(
                        number: 2, age: 0,
                        body: .create(
                            copy, at: "copy", version: copy.named(as: VersionSubject.self)),
                        restsOn: version),
                ], of: Incarnation(device.high), by: device
            ).answer
        }
        account.send(.create("n", at: "n", version: "v0"))
        account.send(.edit("n", "v1", from: ["v0"]), .edit("n", "v2", from: ["v0"]))
        let number = UInt64(account.length)
        #expect(
            settle("x", "c", by: "b")
                == .outcomes([.accepted(number: number + 1), .accepted(number: number + 2)]))
        #expect(
            settle("y", "d", by: "c")
                == .outcomes([.refused(.staleParents), .refused(.restsOnRefused)]))
        #expect(account.heads("n") == ["x"])
    }

    @Test func theAgeMayGrow() {
        let body = Operation.Body.set("k", "v", as: "w")
        _ = decide(Operation(number: 1, age: 0, body: body))
        let again = decide(Operation(number: 1, age: 5_000, body: body))
        #expect(again.answer == .outcomes([.accepted(number: 1)]))
    }

    @Test func aKnownNumberWithOtherBytesNeedsAnotherIncarnation() {
        _ = decide(operation(1, .create("n", at: "n", version: "v0")))
        let other = decide(
            operation(1, .create("m", at: "m", version: "m0")),
            operation(2, .create("k", at: "k", version: "k0")))
        #expect(other.answer == .otherIncarnationNeeded)
        #expect(account.length == 1)
    }

    @Test func anotherDevicesIncarnationIsNotTaken() {
        _ = decide(operation(1, .create("n", at: "n", version: "v0")), by: "a")
        let other = decide(operation(2, .create("m", at: "m", version: "m0")), by: "b")
        #expect(other.answer == .otherIncarnationNeeded)
    }

    @Test func aGapIsNotTaken() {
        #expect(
            decide(operation(2, .create("n", at: "n", version: "v0"))).answer
                == .numberGap(last: 0))
        _ = decide(operation(1, .create("n", at: "n", version: "v0")))
        #expect(
            decide(operation(3, .create("m", at: "m", version: "m0"))).answer
                == .numberGap(last: 1))
        #expect(account.length == 1)
    }

    @Test func numbersMustRiseByOne() {
        let one = operation(1, .create("n", at: "n", version: "v0"))
        let three = operation(3, .create("m", at: "m", version: "m0"))
        #expect(decide(one, three).answer == .numberGap(last: 0))
        #expect(decide(one, one).answer == .numberGap(last: 0))
        #expect(
            decide(operation(0, .create("n", at: "n", version: "v0"))).answer
                == .numberGap(last: 0))
        #expect(account.length == 0)
    }

    @Test func nothingIsAnsweredWithNothing() {
        #expect(decide().answer == .outcomes([]))
    }

    @Test func theSameContentUnderANewIncarnationIsAnsweredAsDone() {
        let body = Operation.Body.create("n", at: "n", version: "v0")
        _ = decide(operation(1, body), incarnation: 7)
        let again = decide(operation(1, body), incarnation: 8)
        #expect(again.answer == .outcomes([.accepted(number: 1)]))
        #expect(account.length == 1)
        // Its number is known now.
        #expect(decide(operation(1, body), incarnation: 8).changes.isEmpty)
    }

    @Test func anAnswerIsStoredForWhatWasRefusedToo() {
        let refused = operation(1, .edit("who", "v1", from: []))
        #expect(decide(refused).answer == .outcomes([.refused(.unknownItem)]))
        account.send(.create("who", at: "who", version: "v0"), by: "b")
        #expect(decide(refused).answer == .outcomes([.refused(.unknownItem)]))
    }
}
