import SyncCore

@testable import SyncSimulation

/// Touching the disk.
extension Hazard {
    static let disks: [Hazard] =
        [
            Hazard(
                number: "30", title: "a save between check and swap", mutants: [.checkThenRename]
            ) { play in
                play.write("n.md", lines: 3, on: 0)
                play.settle()
                play.open("n.md", on: 0)
                play.world.devices[1].savesAtInstall = 1
                play.save("n.md", on: 0)
                play.settle()
                play.expect(play.heads("n.md").count == 2, "both saves stay")
            },
            Hazard(
                number: "31", title: "a crash between swap and record, and a newer version",
                kind: .oneTypist
            ) { play in
                play.write("p.jpg", lines: 30, isBinary: true, on: 0)
                play.settle()
                play.open("p.jpg", on: 0)
                play.save("p.jpg", on: 0)
                let wanted = play.lines("p.jpg", on: 0)
                let path = play.path("p.jpg")
                play.run { world in
                    let disk = world.devices[1].disk
                    return disk.inode(at: path).map { Document.tokens(in: disk[$0].bytes) }
                        == wanted
                }
                play.crash(1, seconds: 40)
                play.save("p.jpg", on: 0)
                play.settle(seconds: 90)
                play.expect(play.heads("p.jpg").count == 1, "the install is no edit")
                play.expect(play.lines("p.jpg", on: 1)?.count == 32, "the newest arrives")
            },
            Hazard(
                number: "31a",
                title: "a crash between swap and record, and somebody reads and edits",
                kind: .oneTypist
            ) { play in
                play.write("n.md", on: 0)
                play.settle()
                play.open("n.md", on: 0)
                play.save("n.md", on: 0)
                let path = play.path("n.md")
                play.run { world in
                    let disk = world.devices[1].disk
                    return disk.inode(at: path).map { Document.tokens(in: disk[$0].bytes).count }
                        == 2
                }
                play.crash(1)
                play.settle()
                play.open("n.md", on: 1)
                play.save("n.md", .renameOver, on: 1)
                play.settle()
                play.expect(play.heads("n.md").count == 1, "who read it has read it")
            },
            Hazard(
                number: "33", title: "two saves of one size within a second", kind: .oneTypist,
                mutants: [.timesBySecond]
            ) { play in
                play.write("n.md", lines: 2, on: 0)
                play.settle()
                play.open("n.md", on: 0)
                play.saveSameSize("n.md", on: 0)
                play.wait(milliseconds: 500)
                play.saveSameSize("n.md", on: 0)
                let wanted = play.lines("n.md", on: 0)
                play.settle()
                play.expect(play.lines("n.md", on: 1) == wanted, "the second save arrives")
            },
            Hazard(number: "33a", title: "two saves of one size within a tick, then a crash") {
                play in
                play.write("n.md", lines: 2, on: 0)
                play.settle()
                play.open("n.md", on: 0)
                play.saveSameSize("n.md", on: 0)
                play.saveSameSize("n.md", on: 0)
                play.crash(0)
                let wanted = play.lines("n.md", on: 0)
                play.settle()
                play.expect(play.lines("n.md", on: 1) == wanted, "the second save arrives")
            },
            Hazard(number: "35", title: "a file that has no room keeps nothing else") { play in
                play.world.devices[1].disk.isFull = true
                play.write("n.md", lines: 3, on: 0)
                play.settle()
                play.set("key", to: "value", on: 0)
                play.settle()
                play.expect(play.value("key", on: 1) == "value", "the rest goes on")
                play.world.devices[1].disk.isFull = false
                play.settle(seconds: 120)
                play.expect(play.lines("n.md", on: 1)?.count == 3, "and it arrives in the end")
            },
        ]
        + (0..<8).map { count in
            Hazard(
                number: "35.\(count)", title: "a crash \(count) actions after an entry came",
                mutants: count == 1 ? [.cursorFirst] : []
            ) { play in
                play.settle()
                let cursor = play.world.devices[1].replica?.cursor.number ?? 0
                play.write("n.md", lines: 3, on: 0)
                play.run { ($0.devices[1].replica?.cursor.number ?? 0) > cursor }
                play.world.devices[1].actionsLeft = count
                play.settle()
                play.expect(play.lines("n.md", on: 1)?.count == 3, "it arrives")
            }
        }
}
