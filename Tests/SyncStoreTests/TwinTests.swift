import SyncCore
import SyncStore
import SyncWire
import Testing

/// The twins do the same with random changes, commits and rollbacks.
@Suite struct TwinTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func accountStoresAgree(seed: UInt64) throws {
        var random = Random(state: seed)
        let memory = try AccountFixture(.memory).store
        let fixture = try AccountFixture(.sqlite)
        let sqlite = fixture.store
        var committed: UInt64 = 0
        var written = 0
        for _ in 0..<60 {
            try memory.begin()
            try sqlite.begin()
            var number = committed
            for _ in 0..<random.below(4) {
                number += 1
                written += 1
                let changes = randomChanges(number, unique: UInt64(written) + 1000, &random)
                try memory.apply(changes)
                try sqlite.apply(changes)
            }
            if random.below(3) == 0 {
                memory.rollback()
                sqlite.rollback()
            } else {
                try memory.commit()
                try sqlite.commit()
                committed = number
            }
            try expectEqual(memory, sqlite)
        }
    }

    private func randomChanges(
        _ number: UInt64, unique: UInt64, _ random: inout Random
    ) -> [AccountChange] {
        let item: ItemID = id(random.below(6))
        let folder: ItemID = id(random.below(3) + 50)
        let standings: [Standing] = [.placed, .placed, .unplaced, .trashed]
        let version = Sample.version(
            unique, parents: [id(unique - 1)],
            content: random.below(2) == 0 ? .inline([1, 2]) : .chunks([Sample.chunk(9)]))
        let state = Sample.state(
            item, in: folder, tag: item.low, standing: standings[Int(random.below(4))],
            heads: [version.id])
        var changes = Sample.accepted(number, state, version)
        if random.below(2) == 0 {
            let value: [UInt8]? = random.below(3) == 0 ? nil : [UInt8](repeating: 1, count: 5)
            let register = RegisterState(
                register: Sample.key(random.below(3)), name: [1], write: id(unique),
                value: value, stamp: WallTime(milliseconds: 4))
            changes.append(.register(register))
        }
        if random.below(5) == 0 { changes.append(.alias(id(unique), of: item)) }
        return changes
    }

    private func expectEqual(_ one: any AccountStore, _ other: any AccountStore) throws {
        #expect(try one.position() == other.position())
        #expect(try one.usage() == other.usage())
        let (first, second) = (
            try one.entries(after: 0, limit: .max, to: nil),
            try other.entries(after: 0, limit: .max, to: nil)
        )
        #expect(first == second)
        #expect(
            try one.entries(after: 2, limit: 900, to: alice)
                == other.entries(after: 2, limit: 900, to: alice))
        for number in 0..<6 as Range<UInt64> {
            #expect(try one.item(id(number)) == other.item(id(number)))
            #expect(try one.versions(of: id(number)) == other.versions(of: id(number)))
            #expect(try one.register(Sample.key(number)) == other.register(Sample.key(number)))
        }
        for folder in 50..<53 as Range<UInt64> {
            #expect(
                try Set(one.children(of: id(folder))) == Set(other.children(of: id(folder))))
            for tag in 0..<6 as Range<UInt64> {
                #expect(
                    try one.holder(of: id(tag), in: id(folder))
                        == other.holder(of: id(tag), in: id(folder)))
            }
        }
        #expect(try one.incarnation(Incarnation(.max)) == other.incarnation(Incarnation(.max)))
    }
}

/// A generator whose numbers depend on its seed only.
struct Random {
    var state: UInt64

    mutating func below(_ bound: UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % bound
    }
}
