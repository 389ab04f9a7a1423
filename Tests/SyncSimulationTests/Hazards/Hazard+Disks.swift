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
                number: "32", title: "a disk that cannot hold a mode or a time", kind: .oneTypist
            ) { play in
                play.world.devices[1].disk.isCoarse = true
                play.write("n.md", lines: 3, on: 0)
                play.setMode(0o755, of: "n.md", on: 0)
                play.settle()
                let length = play.length
                play.crash(1)
                play.settle()
                play.expect(play.length == length, "what it cannot hold is no edit")
                play.open("n.md", on: 1)
                play.save("n.md", on: 1)
                play.settle()
                play.expect(play.length == length + 1, "an edit is one, and once")
                play.expect(play.facts("n.md")?.mode == 0o755, "and keeps the mode for the others")
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
            Hazard(
                number: "34", title: "asked whether all is in sync straight after a save",
                kind: .oneTypist
            ) { play in
                play.write("n.md", on: 0)
                play.settle()
                play.expect(play.saysInSync(0), "at rest")
                for count in 0..<20 {
                    play.write("n.md", lines: 2 + count, on: 0)
                    let wanted = play.lines("n.md", on: 0)
                    play.expect(!play.saysInSync(0), "a save that nobody has heard of")
                    var left = 10_000
                    while !play.saysInSync(0), left > 0 {
                        left -= 1
                        play.wait(milliseconds: 1)
                    }
                    play.expect(play.shown("n.md") == wanted, "in sync, and it is in the log")
                }
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
            Hazard(number: "37", title: "a file that is written without a pause") { play in
                play.write("log.md", on: 0)
                play.settle()
                play.keepOpen("log.md", on: 0)
                play.open("log.md", on: 0)
                var most = 0
                for second in 0..<150 {
                    play.save("log.md", on: 0)
                    play.wait(milliseconds: 1_000)
                    let lines = play.lines("log.md", on: 1)?.count ?? 0
                    play.expect(lines < 2 || second >= 50, "it is not sent with every line")
                    most = max(most, lines)
                }
                play.expect(most > 50, "it is sent all the same")
                play.endKeepingOpen("log.md", on: 0)
                play.settle()
                play.expect(play.lines("log.md", on: 1)?.count == 151, "and all of it in the end")
            },
            Hazard(
                number: "38", title: "a content is saved again whose chunks are being collected",
                mutants: [.haveItWithoutReference]
            ) { play in
                var choice = RandomSource(seed: 1)
                play.world.saveLongText(on: 0, &choice)
                play.settle()
                play.world.replaceLongText(on: 0, &choice)
                play.settle(seconds: 60)
                play.world.passDays(32)
                play.wait(milliseconds: 500)
                play.world.saveLongText(on: 0, &choice)
                play.settle(seconds: 60)
                play.world.passDays(3)
                play.settle()
                play.expect(play.lines("long.md", on: 1)?.count == 24, "it is on the other device")
                play.expect(play.shown("long.md")?.count == 24, "and at the server")
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
