import SyncCore

@testable import SyncSimulation

/// What a deletion takes, and joining.
extension Hazard {
    static let deletions: [Hazard] = [
        Hazard(
            number: "20", title: "a folder is deleted, with a member that was only heard of",
            mutants: [.deletionByCursor]
        ) { play in
            play.makeFolder("F", on: 0)
            play.settle()
            play.world.devices[1].disk.isFull = true
            play.write("F/f.md", lines: 3, on: 0)
            play.settle()
            play.expect(play.lines("F/f.md", on: 1) == nil, "it is not there yet")
            play.remove("F", on: 1)
            play.settle()
            play.world.devices[1].disk.isFull = false
            play.settle(seconds: 120)
            play.expect(play.lines("F/f.md", on: 1)?.count == 3, "it lives on")
        },
        Hazard(
            number: "20a", title: "a file is deleted that another edits",
            mutants: [.deleteBeatsEdit]
        ) { play in
            play.write("n.md", on: 0)
            play.settle()
            play.goOffline(0)
            play.open("n.md", on: 1)
            play.save("n.md", on: 1)
            play.settle()
            play.remove("n.md", on: 0)
            play.settle()
            play.goOnline(0)
            play.settle()
            play.expect(play.lines("n.md", on: 0)?.count == 2, "the edit lives")
        },
        Hazard(number: "20b", title: "a folder is moved into one that is deleted elsewhere") {
            play in
            play.makeFolder("G", on: 0)
            play.makeFolder("H", on: 0)
            play.write("H/n.md", on: 0)
            play.settle()
            play.goOffline(1)
            play.move("H", to: "G/H", on: 0)
            play.settle()
            play.remove("G", on: 1)
            play.settle()
            play.goOnline(1)
            play.settle()
            play.expect(play.lines("G/H/n.md", on: 0) != nil, "what is in it lives on with it")
            play.expect(play.lines("G/H/n.md", on: 1) != nil, "on both devices")
        },
        Hazard(number: "20c", title: "a folder is deleted that is another's by now") { play in
            play.goOffline(1)
            play.makeFolder("F", on: 0)
            play.write("F/n.md", on: 0)
            play.settle()
            play.makeFolder("F", on: 1)
            play.settle(seconds: 5)
            let cursor = play.world.devices[1].replica?.cursor.number ?? 0
            play.goOnline(1)
            play.run { ($0.devices[1].replica?.cursor.number ?? 0) > cursor }
            play.remove("F", on: 1)
            play.settle()
            play.expect(play.lines("F/n.md", on: 0) != nil, "what was never there lives on")
        },
        Hazard(
            number: "29", title: "a device joins with files of its own",
            joins: [1: 60 * Scenario.second]
        ) { play in
            play.write("n.md", on: 0)
            play.write("n.md", on: 1)
            play.settle(seconds: 120)
            play.expect(play.heads("n.md").count == 2, "both texts stay")
        },
        Hazard(
            number: "29a", title: "a device joins with a folder of another mode",
            joins: [1: 60 * Scenario.second]
        ) { play in
            play.makeFolder("H", on: 1)
            play.makeFolder("H", on: 0)
            play.settle(seconds: 10)
            play.setMode(0o750, of: "H", on: 0)
            play.settle(seconds: 120)
        },
    ]
}
