import SyncCore
import SyncStore
import Testing

/// Folders in folders, deeper than any program's stack.
@Suite struct DeepFolderTests {
    private let account = TestAccount()
    private let depth: UInt64 = 20_000

    private func folder(_ level: UInt64) -> ItemID { ItemID(high: 0xF0, low: level) }

    init() {
        account.isLookedThrough = false
        var folders: [Operation.Body] = []
        for level in 1...depth {
            folders.append(
                .create(
                    folder(level), .folder, at: "F", in: level == 1 ? .top : folder(level - 1),
                    version: VersionID(high: 0xF1, low: level)))
        }
        #expect(account.send(all: folders, by: "a").areAccepted)
    }

    @Test func areRemovedAndRestored() {
        let removal = Operation.Body.removeFolder(
            folder(1), "d", from: [VersionID(high: 0xF1, low: 1)], installed: depth)
        #expect(account.send(removal, by: "a").areAccepted)
        #expect(account.standing(folder(depth)) == .trashed)
        #expect(account.send(.restoreFolder(folder(1), "r", undoing: "d")).areAccepted)
        #expect(account.standing(folder(depth)) == .placed)
    }

    @Test func comeBackAboveAnEdit() {
        account.send(
            .create("note", at: "note", in: folder(depth), version: "n0", content: .inline([1])))
        account.send(
            .removeFolder(
                folder(1), "d", from: [VersionID(high: 0xF1, low: 1)], installed: depth + 1))
        #expect(account.standing(folder(1)) == .trashed)
        #expect(
            account.send(.edit("note", "n1", from: ["n0"], content: .inline([2])), by: "b")
                .areAccepted)
        #expect(account.standing(folder(1)) == .placed)
        #expect(account.standing("note") == .placed)
    }

    @Test func areRescuedFromARemovedOne() {
        account.send(.create("g", .folder, at: "G", version: "g0"), by: "b")
        account.send(
            .removeFolder(
                folder(1), "d", from: [VersionID(high: 0xF1, low: 1)], installed: depth))
        #expect(account.send(.move(folder(2), to: "F", in: "g", as: "p"), by: "b").areAccepted)
        #expect(account.standing(folder(1)) == .trashed)
        #expect(account.standing(folder(depth)) == .placed)
    }
}

/// Aliases are a device's rows: what is wrong with them ends no program.
@Suite struct AliasCircleTests {
    @Test func aCircleIsCutAndWhatLeadsElsewhereStays() {
        let aliases: [ItemID: ItemID] = [
            "a": "b", "b": "c", "c": "a", "d": "e", "e": "f", "g": "g", "h": "a",
        ]
        let sound = aliases.withoutCircles
        #expect(sound["d"] == "e" && sound["e"] == "f" && sound["h"] == "a")
        for item in aliases.keys {
            var (next, steps) = (item, 0)
            while let holder = sound[next], steps < 10 { (next, steps) = (holder, steps + 1) }
            #expect(steps < 10, "\(item.label) leads somewhere")
        }
    }
}
