import SyncCore

@testable import SyncSimulation

/// What an edit was made from, and what becomes of two.
extension Hazard {
    static let edits: [Hazard] = [
        Hazard(number: "1", title: "a stale buffer", mutants: [.parentIsInstalled]) { play in
            play.write("n.md", lines: 3, on: 0)
            play.settle()
            play.open("n.md", on: 0)
            play.open("n.md", on: 1)
            play.save("n.md", on: 0)
            play.settle()
            play.save("n.md", on: 1)
            play.settle()
            play.expect(play.heads("n.md").count == 2, "both texts stay")
        },
        Hazard(
            number: "2", title: "an answer is lost, and the next save follows", kind: .oneTypist,
            mutants: [.sentIsReplaced]
        ) { play in
            play.write("n.md", on: 0)
            play.settle()
            play.open("n.md", on: 0)
            let count = play.world.server.durable.log.count
            play.save("n.md", on: 0)
            play.run { $0.server.durable.log.count > count }
            play.goOffline(0)
            play.save("n.md", on: 0)
            play.wait(milliseconds: 500)
            play.goOnline(0)
            play.settle()
            play.expect(play.heads("n.md").count == 1, "one typist has one text")
            play.expect(play.lines("n.md", on: 1)?.count == 3, "all lines arrive")
        },
        Hazard(number: "3", title: "a small file overtakes a large one") { play in
            play.world.weather.slow = 900
            play.write("large.jpg", lines: 100, isBinary: true, on: 0)
            play.wait(milliseconds: 100)
            play.write("small.md", on: 0)
            play.settle(seconds: 120)
            play.world.weather.slow = 0
            play.settle()
            play.expect(play.lines("large.jpg", on: 1)?.count == 100, "the large one arrives")
            play.expect(play.lines("small.md", on: 1)?.count == 1, "the small one arrives")
        },
        Hazard(number: "4", title: "undo to old bytes", kind: .oneTypist) { play in
            play.write("n.md", on: 0)
            play.settle()
            play.open("n.md", on: 0)
            play.save("n.md", on: 0)
            play.settle()
            let wanted = play.lines("n.md", on: 1)
            play.save("n.md", on: 0)
            play.settle()
            play.undo("n.md", steps: 1, on: 0)
            play.settle()
            play.expect(wanted?.count == 2, "the first save arrived")
            play.expect(play.lines("n.md", on: 1) == wanted, "the old bytes are the newest")
        },
        Hazard(number: "7", title: "two settle differently and type on") { play in
            play.conflict("n.md")
            play.goOffline(0)
            play.goOffline(1)
            play.settleConflict("n.md", keep: 0, on: 0)
            play.settleConflict("n.md", keep: 1, on: 1)
            for device in [0, 1] {
                play.open("n.md", on: device)
                play.save("n.md", on: device)
            }
            play.settle()
            play.goOnline(0)
            play.goOnline(1)
            play.settle()
            play.expect(play.heads("n.md").count >= 2, "nobody's typing is dropped")
        },
        Hazard(number: "8", title: "one changes the mode, the other the bytes") { play in
            play.write("p.jpg", lines: 30, isBinary: true, on: 0)
            play.settle()
            play.goOffline(1)
            play.setMode(0o600, of: "p.jpg", on: 0)
            play.open("p.jpg", on: 1)
            play.save("p.jpg", on: 1)
            play.settle()
            play.goOnline(1)
            play.settle()
            play.expect(play.heads("p.jpg").count == 1, "both changes hold")
        },
        Hazard(number: "9", title: "which one shows") { play in
            play.conflict("n.md")
            let first = play.heads("n.md").first
            play.open("n.md", on: 1)
            play.settle()
            play.expect(first != nil && play.heads("n.md").first == first, "it is the first")
            play.goOffline(0)
            play.save("n.md", on: 1)
            play.settle()
            let shown = play.heads("n.md").first
            play.goOnline(0)
            play.settle()
            play.expect(play.heads("n.md").first == shown, "an edit keeps its place")
            play.expect(play.heads("n.md").count == 2, "the other one stays")
        },
        Hazard(
            number: "10", title: "texts that merge are no conflict", mutants: [.wrongAncestor]
        ) { play in
            play.write("n.md", lines: 3, on: 0)
            play.settle()
            for device in [0, 1] { play.open("n.md", on: device) }
            play.goOffline(1)
            for _ in 0..<2 {
                play.saveAtStart("n.md", on: 0)
                play.settle()
            }
            play.save("n.md", on: 1)
            play.settle()
            let count = play.world.server.durable.log.count
            play.goOnline(1)
            play.settle()
            play.expect(play.world.server.durable.log.count == count + 2, "one edit, one merge")
            play.expect(play.heads("n.md").count == 1, "the texts are one")
            play.expect(play.lines("n.md", on: 0)?.count == 6, "with all lines")
            play.expect(play.lines("n.md", on: 0) == play.lines("n.md", on: 1), "everywhere")
        },
        Hazard(
            number: "12", title: "a deletion against two texts, of which one is unseen",
            mutants: [.deletionOfAllHeads, .deleteBeatsEdit]
        ) { play in
            play.write("n.md", on: 0)
            play.settle()
            for device in [0, 1] { play.open("n.md", on: device) }
            play.goOffline(1)
            play.save("n.md", on: 0)
            play.settle()
            play.goOffline(0)
            play.goOnline(1)
            play.wait(milliseconds: 1)
            play.save("n.md", on: 1)
            play.settle()
            play.remove("n.md", on: 0)
            play.settle()
            play.goOnline(0)
            play.settle()
            play.expect(play.heads("n.md").count == 1, "what was not seen lives on")
        },
        Hazard(number: "13", title: "two settle at once") { play in
            play.conflict("n.md")
            play.goOffline(0)
            play.goOffline(1)
            play.settleConflict("n.md", keep: 0, on: 0)
            play.settleConflict("n.md", keep: 1, on: 1)
            play.settle()
            play.goOnline(0)
            play.goOnline(1)
            play.settle()
            play.expect(play.heads("n.md").count == 1, "the first choice stands")
        },
        Hazard(
            number: "A", title: "the later clock is no reason",
            clockErrors: [1: 400 * Scenario.second],
            mutants: [.newestClockWins, .dropSecondHead]
        ) { play in
            play.conflict("n.md")
            play.expect(play.heads("n.md").count == 2, "both texts stay")
        },
    ]
}

extension Scenario {
    /// Two heads of one file, made by two devices that were apart.
    mutating func conflict(_ name: String) {
        write(name, lines: 2, on: 0)
        settle()
        for device in [0, 1] { open(name, on: device) }
        goOffline(1)
        save(name, on: 0)
        save(name, on: 1)
        settle()
        goOnline(1)
        settle()
        expect(heads(name).count == 2, "the two saves met")
    }
}
