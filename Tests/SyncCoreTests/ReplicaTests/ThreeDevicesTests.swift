import SyncCore
import SyncSimulation
import Testing

/// Three devices that edited one note apart, and come back in any order: line merging is not
/// associative, so what becomes of it is decided by the order of the heads and nothing else.
struct ThreeDevicesTests {
    private static let note = "note.md"

    @Test(arguments: 0..<60)
    func allEndAsTheFirstPairSays(seed: Int) {
        var random = RandomEdits(seed: UInt64(seed))
        let known = KnownMerge(using: &random)
        let base = text(known.base)
        let texts = [known.first, known.second, KnownMerge.other(of: known.base, using: &random)]
        let world = TestWorld([Self.note: base], on: ["a", "b", "c"])
        world.goOffline()
        for (device, bytes) in zip(world.devices, texts) where bytes != known.base {
            device.edit(Self.note, text(bytes))
        }
        world.settle()
        for device in world.devices.shuffled(using: &random) {
            device.goOnline()
            if Bool.random(using: &random) { world.settle(seconds: 1) }
        }
        world.settle()

        let arrivals = arrivals(in: world, of: texts)
        #expect(arrivals.count == texts.count { $0 != known.base })
        let expected = ThreeDevices(base: known.base, texts: texts)
            .expected(arrivals: arrivals).map(text)
        #expect(world.texts(Self.note) == (expected.isEmpty ? [base] : expected))
        for device in world.devices {
            #expect(device.read(Self.note) == (expected.first ?? base))
            #expect(device.replica?.status().conflicts == (expected.count > 1 ? 1 : 0))
        }
        world.finish()
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Whose text came when, by the account's log.
    private func arrivals(in world: TestWorld, of texts: [[UInt8]]) -> [Int] {
        guard let item = world.state(Self.note)?.id else { return [] }
        let digests = texts.map(testVault.hash)
        return world.cloud.history(of: item).dropFirst().filter { $0.nature == .edit }
            .compactMap { version in
                VersionFacts(bytes: version.facts).flatMap { digests.firstIndex(of: $0.digest) }
            }
    }
}
