import Testing

@testable import SyncCore

/// The outbox: the order of making, and of numbers.
@Suite struct OutboxTests {
    private func entry(
        _ item: ItemID, _ version: VersionID, number: UInt64? = nil, accepted: UInt64? = nil
    ) -> OutboxEntry {
        OutboxEntry(
            body: .edit(item, version, from: []), made: WallTime(milliseconds: 0), number: number,
            accepted: accepted)
    }

    @Test func entriesAreSentInTheOrderOfTheirMaking() {
        var outbox = Outbox([:])
        outbox.append(entry("a", "1"), id: 1)
        outbox.append(entry("b", "2"), id: 2)
        outbox.append(entry("a", "3"), id: 5)
        #expect(outbox.unsentIDs == [1, 2, 5])
        #expect(outbox.newest(on: "a")?.id == 5)
        #expect(outbox.newest(on: "c") == nil)
        #expect(outbox.count == 3)
    }

    @Test func aNumberedEntryIsAwaitedUntilItIsAccepted() {
        var outbox = Outbox([:])
        outbox.append(entry("a", "1"), id: 1)
        outbox.append(entry("b", "2"), id: 2)
        outbox.update(2, entry("b", "2", number: 1))
        outbox.update(1, entry("a", "1", number: 2))
        #expect(outbox.unsentIDs.isEmpty)
        #expect(outbox.unanswered.map(\.id) == [2, 1], "in the order of their numbers")
        #expect(outbox.id(number: 1) == 2)
        outbox.update(2, entry("b", "2", number: 1, accepted: 9))
        #expect(outbox.unanswered.map(\.id) == [1])
        #expect(outbox.id(number: 1) == nil)
        #expect(outbox.ids(accepted: 9) == [2])
        outbox.remove(2)
        #expect(outbox.ids(accepted: 9).isEmpty)
        #expect(outbox.all.map(\.id) == [1])
    }

    @Test func whatGoesAgainGoesBeforeWhatWasMadeAfterIt() {
        var outbox = Outbox([:])
        for id in 1...3 { outbox.append(entry("a", "1"), id: UInt64(id)) }
        outbox.update(1, entry("a", "1", number: 1))
        outbox.update(2, entry("a", "1", number: 2))
        outbox.update(2, entry("a", "1"))
        outbox.update(1, entry("a", "1"))
        #expect(outbox.unsentIDs == [1, 2, 3])
        #expect(outbox.unanswered.isEmpty)
    }

    @Test func anEntryMovesToTheItemThatItsOwnWasTakenInto() {
        var outbox = Outbox([:])
        outbox.append(entry("a", "1"), id: 1)
        outbox.append(entry("b", "2"), id: 2)
        outbox.append(entry("a", "3"), id: 3)
        outbox.update(2, entry("a", "2"))
        #expect(outbox.all(on: "a").map(\.id) == [1, 2, 3])
        #expect(outbox.all(on: "b").isEmpty)
        outbox.update(1, entry("c", "1"))
        #expect(outbox.all(on: "c").map(\.id) == [1])
        #expect(outbox.newest(on: "a")?.id == 3)
    }

    @Test func aRestartKeepsTheOrders() {
        let outbox = Outbox([
            7: entry("a", "7"), 3: entry("b", "3", number: 2), 5: entry("c", "5", number: 1),
            2: entry("d", "2", number: 3, accepted: 4), 9: entry("a", "9"),
        ])
        #expect(outbox.unsentIDs == [7, 9])
        #expect(outbox.unanswered.map(\.id) == [5, 3])
        #expect(outbox.ids(accepted: 4) == [2])
        #expect(outbox.newest(on: "a")?.id == 9)
        #expect(outbox.all.map(\.id) == [2, 3, 5, 7, 9])
    }

    @Test func manyEntriesComeAndGo() {
        var outbox = Outbox([:])
        for id in UInt64(1)...1_000 {
            outbox.append(entry("a", "1"), id: id)
            if id > 3 { outbox.remove(id - 3) }
        }
        #expect(outbox.all.map(\.id) == [998, 999, 1_000])
        #expect(outbox.unsentIDs == [998, 999, 1_000])
    }
}

/// Names to be looked at.
@Suite struct DirtySlotsTests {
    private func slot(_ name: String) throws -> Slot {
        Slot(folder: .top, name: try #require(Name(name)))
    }

    private func instant(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: 0).advanced(milliseconds: milliseconds)
    }

    @Test func eachNameIsTakenOnceInTheOrderOfMention() throws {
        var slots = DirtySlots()
        for name in ["b", "a", "b", "c"] { slots.insert(try slot(name), at: instant(0)) }
        #expect(slots.takeReady(at: instant(0)).map(\.name.text) == ["b", "a", "c"])
        #expect(slots.takeReady(at: instant(0)).isEmpty)
        #expect(!slots.isEmpty, "they are dirty until they are removed")
    }

    @Test func aHeldNameComesWhenItIsDue() throws {
        var slots = DirtySlots()
        let name = try slot("a")
        slots.insert(name, at: instant(0))
        _ = slots.takeReady(at: instant(0))
        slots.hold(name, until: instant(20))
        #expect(slots.nextDue == instant(20))
        #expect(slots.takeReady(at: instant(19)).isEmpty)
        #expect(slots.takeReady(at: instant(20)) == [name])
        #expect(slots.nextDue == nil)
    }

    @Test func theQuietPeriodBeginsWithTheFirstMention() throws {
        var slots = DirtySlots()
        let name = try slot("a")
        slots.insert(name, at: instant(0))
        slots.insert(name, at: instant(15))
        #expect(slots.since[name] == instant(0))
        slots.remove(name)
        slots.insert(name, at: instant(30))
        #expect(slots.since[name] == instant(30))
    }

    @Test func aRemovedNameIsNotTaken() throws {
        var slots = DirtySlots()
        let name = try slot("a")
        slots.insert(name, at: instant(0))
        slots.hold(name, until: instant(5))
        slots.remove(name)
        #expect(slots.takeReady(at: instant(9)).isEmpty)
        #expect(slots.isEmpty)
    }

    @Test func whatWaitsForListsIsWokenByThem() throws {
        var slots = DirtySlots()
        let name = try slot("a")
        slots.insert(name, at: instant(0))
        _ = slots.takeReady(at: instant(0))
        slots.holdUntilListed(name)
        #expect(slots.takeReady(at: instant(9)).isEmpty)
        slots.wakeListed(at: instant(9))
        #expect(slots.takeReady(at: instant(9)) == [name])
    }
}

/// Deletions that came shortly after each other.
@Suite struct SweepTests {
    private func instant(_ seconds: Int64) -> Instant {
        Instant(nanoseconds: seconds * 1_000_000_000)
    }

    @Test func whatCameShortlyAfterEachOtherIsOneSweep() {
        var sweeps = DeletionSweeps()
        sweeps.note("1", below: ["f", "g"], at: instant(0))
        sweeps.note("2", below: ["f"], at: instant(9))
        #expect(sweeps.end("g", at: instant(10)) == nil, "ten seconds are too long")
        #expect(sweeps.end("f", at: instant(18)) == "1")
        #expect(sweeps.end("f", at: instant(18)) == nil, "it is over")
        sweeps.note("3", below: ["f"], at: instant(100))
        sweeps.note("4", below: ["f"], at: instant(120))
        #expect(sweeps.end("f", at: instant(121)) == "4")
    }

    @Test func whatGoesOnForEverIsASweepOfTenMinutes() {
        var sweeps = DeletionSweeps()
        for second in stride(from: Int64(0), through: 605, by: 5) {
            sweeps.note(VersionID(high: 1, low: UInt64(second)), below: ["f"], at: instant(second))
        }
        #expect(sweeps.end("f", at: instant(606)) == VersionID(high: 1, low: 600))
    }

    @Test func thousandsOfFoldersTakeNoMoreRoom() {
        var sweeps = DeletionSweeps()
        let many = (0..<10_000).map { ItemID(high: 1, low: $0) }
        sweeps.note("1", below: many, at: instant(0))
        sweeps.note("2", below: ["f"], at: instant(20))
        #expect(sweeps.end("f", at: instant(21)) == "2")
        #expect(sweeps.end(many[0], at: instant(5)) == nil, "it was forgotten")
        sweeps.note("3", below: many, at: instant(30))
        sweeps.note("4", below: ["f"], at: instant(31))
        #expect(sweeps.end("f", at: instant(32)) == "4")
        #expect(sweeps.end(many[1], at: instant(32)) == nil, "all of one moment, and forgotten")
    }
}
