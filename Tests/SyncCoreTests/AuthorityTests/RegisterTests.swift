import SyncCore
import SyncStore
import Testing

/// Key-values: one register a key.
@Suite struct AuthorityRegisterTests {
    let account = TestAccount()

    private func pass(_ milliseconds: Int64) { account.now.milliseconds += milliseconds }

    @Test func aWriteThatReplacesTheCurrentOneWinsWhateverAnyClockSays() {
        account.send(.set("k", "1", as: "w1"), by: "a")
        account.send(.set("k", "2", as: "w2", replacing: "w1"), by: "b", age: 1_000_000)
        #expect(account.value("k") == "2")
    }

    @Test func ofConcurrentWritesTheLaterWins() {
        account.send(.set("k", "0", as: "w0"), by: "a")
        account.hear(from: "b")
        pass(10_000)
        account.send(.set("k", "a", as: "wa", replacing: "w0"), by: "a", age: 2_000)
        account.send(.set("k", "b", as: "wb", replacing: "w0"), by: "b", age: 5_000)
        #expect(account.value("k") == "a")
    }

    @Test func theLaterOfConcurrentWritesMayComeLast() {
        account.send(.set("k", "0", as: "w0"), by: "a")
        account.hear(from: "b")
        pass(10_000)
        account.send(.set("k", "a", as: "wa", replacing: "w0"), by: "a", age: 5_000)
        account.send(.set("k", "b", as: "wb", replacing: "w0"), by: "b", age: 2_000)
        #expect(account.value("k") == "b")
    }

    @Test func anAgeReachesNoFurtherBackThanTheLastContact() {
        account.send(.set("k", "0", as: "w0"), by: "a")
        pass(10_000)
        account.send(.set("k", "a", as: "wa", replacing: "w0"), by: "a", age: 3_000)
        account.hear(from: "b")
        pass(10)
        account.send(.set("k", "b", as: "wb", replacing: "w0"), by: "b", age: 100_000_000)
        #expect(account.value("k") == "b")
    }

    @Test func aHugeAgeIsNoTrap() {
        account.send(.set("k", "0", as: "w0"), by: "a", age: .max)
        account.send(.set("k", "1", as: "w1", replacing: "w0"), by: "a", age: .max)
        #expect(account.value("k") == "1")
    }

    @Test func theValueThatLostIsKept() throws {
        account.send(.set("k", "a", as: "wa"), by: "a")
        account.send(.set("k", "b", as: "wb"), by: "b", age: 60_000)
        #expect(account.value("k") == "a")
        #expect(try account.store.hasWrite("wb"))
    }

    @Test func aWriteFromBeforeTheFirstPullSetsOnlyWhatTheCloudLacks() {
        account.send(.set("k", "cloud", as: "w0"), by: "a")
        pass(10_000)
        account.send(
            .set("k", "default", as: "w1", beforeFirstPull: true),
            .set("new", "default", as: "w2", beforeFirstPull: true), by: "b")
        #expect(account.value("k") == "cloud")
        #expect(account.value("new") == "default")
    }

    @Test func aWriteFromBeforeTheFirstPullSetsAKeyThatWasRemoved() {
        account.send(.set("k", "cloud", as: "w0"), by: "a")
        account.send(.set("k", nil, as: "w1", replacing: "w0"), by: "a")
        account.send(.set("k", "default", as: "w2", beforeFirstPull: true), by: "b")
        #expect(account.value("k") == "default")
    }

    @Test func aWriteThatTheLogHasIsAnsweredAsDone() {
        account.send(.set("k", "1", as: "w1"), by: "a")
        account.send(.set("k", "2", as: "w2", replacing: "w1"), by: "a")
        let length = account.length
        account.send(.set("k", "1", as: "w1"), by: "b")
        #expect(account.value("k") == "2")
        #expect(account.length == length)
    }

    @Test func writesOfOneRequestFollowEachOther() {
        account.send(
            .set("k", "1", as: "w1"), .set("k", "2", as: "w2", replacing: "w1"),
            .set("k", nil, as: "w3", replacing: "w2"), .set("j", "x", as: "w4"))
        #expect(account.value("k") == nil)
        #expect(account.value("j") == "x")
    }

    // MARK: Limits

    private func limit(_ change: (inout AccountLimits) -> Void) {
        var limits = AccountLimits()
        change(&limits)
        account.authority = Authority(limits: limits)
    }

    @Test func aKeyTooManyIsRefused() {
        limit { $0.keys = 2 }
        let outcomes = account.send(
            .set("a", "1", as: "w1"), .set("b", "1", as: "w2"), .set("c", "1", as: "w3"))
        #expect(outcomes.refusals == [nil, nil, .overLimit])
        account.send(.set("a", nil, as: "w4", replacing: "w1"))
        #expect(account.send(.set("c", "1", as: "w5")).areAccepted)
    }

    @Test func aRemovedAndANewKeyOfOneRequestAreCountedInOrder() {
        limit { $0.keys = 1 }
        account.send(.set("a", "1", as: "w1"))
        let outcomes = account.send(
            .set("b", "1", as: "w2"), .set("a", nil, as: "w3", replacing: "w1"),
            .set("b", "1", as: "w4"))
        #expect(outcomes.refusals == [.overLimit, nil, nil])
    }

    @Test func aValueTooLongIsRefused() {
        limit { $0.value = 3 }
        #expect(account.send(.set("k", "four", as: "w1")).refusals == [.overLimit])
        #expect(account.send(.set("k", "abc", as: "w2")).areAccepted)
    }

    @Test func valuesAreCountedTogether() {
        limit { $0.values = 10 }
        account.send(.set("a", "123456", as: "w1"))
        #expect(account.send(.set("b", "12345", as: "w2")).refusals == [.overLimit])
        #expect(account.send(.set("b", "1234", as: "w3")).areAccepted)
        #expect(
            account.send(.set("a", "1234567", as: "w4", replacing: "w1")).refusals
                == [.overLimit])
    }

    @Test func whatAddsNothingIsTakenOverTheLimit() {
        account.send(.set("a", "12345678", as: "w1"), .set("b", "12345678", as: "w2"))
        limit {
            $0.values = 4
            $0.keys = 1
        }
        #expect(account.send(.set("a", "1234567", as: "w3", replacing: "w1")).areAccepted)
        #expect(account.send(.set("b", nil, as: "w4", replacing: "w2")).areAccepted)
        #expect(account.send(.set("a", "123456789", as: "w5")).refusals == [.overLimit])
    }

    @Test func aRefusedWriteLeavesTheValueAsItIs() {
        limit { $0.value = 3 }
        account.send(.set("k", "abc", as: "w1"))
        account.send(.set("k", "abcd", as: "w2", replacing: "w1"))
        #expect(account.value("k") == "abc")
    }
}
