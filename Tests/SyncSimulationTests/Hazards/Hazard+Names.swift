import SyncCore

@testable import SyncSimulation

/// Names, identity and place.
extension Hazard {
    static let names: [Hazard] = [
        Hazard(number: "15", title: "a save by way of a backup, against another's edit") { play in
            play.write("n.md", on: 0)
            play.settle()
            for device in [0, 1] { play.open("n.md", on: device) }
            play.goOffline(1)
            play.save("n.md", .backupFirst, on: 0)
            play.save("n.md", .backupFirst, on: 1)
            play.settle()
            play.goOnline(1)
            play.settle()
            play.expect(play.items("n.md").count == 1, "it is one item")
            play.expect(play.heads("n.md").count == 2, "with both texts")
        },
        Hazard(
            number: "16", title: "an inode is used again while nobody watches",
            mutants: [.inodeProvesMove]
        ) { play in
            play.write("a.md", lines: 2, on: 0)
            play.settle()
            play.open("a.md", on: 1)
            play.goOffline(1)
            play.save("a.md", on: 1)
            play.crash(0)
            play.remove("a.md", on: 0)
            play.write("z.md", lines: 2, on: 0)
            play.settle()
            play.goOnline(1)
            play.settle()
            play.expect(play.lines("a.md", on: 0)?.count == 3, "the edit is where it was made")
            play.expect(play.lines("z.md", on: 1)?.count == 2, "and the new file is new")
        },
        Hazard(
            number: "17", title: "one name made on two devices", mutants: [.dropSecondHead]
        ) { play in
            play.goOffline(0)
            play.goOffline(1)
            for device in [0, 1] { play.write("today.md", on: device) }
            play.settle()
            play.goOnline(0)
            play.goOnline(1)
            play.settle()
            play.expect(play.items("today.md").count == 1, "it is one item")
            play.expect(play.heads("today.md").count == 2, "with both texts")
        },
        Hazard(
            number: "17b", title: "names that only look the same", mutants: [.namesAsStrings]
        ) { play in
            play.write("e\u{301}.md", lines: 1, on: 0)
            play.settle()
            play.write("\u{e9}.md", lines: 2, on: 0)
            play.settle()
            play.expect(play.lines("e\u{301}.md", on: 1)?.count == 1, "the first is itself")
            play.expect(play.lines("\u{e9}.md", on: 1)?.count == 2, "the second is another")
        },
        Hazard(
            number: "18", title: "two names are swapped", kind: .oneTypist,
            mutants: [.tagsCheckedAtOnce]
        ) { play in
            play.write("a.md", lines: 1, on: 0)
            play.write("b.md", lines: 2, on: 0)
            play.settle()
            play.move("a.md", to: "t.md", on: 0)
            play.move("b.md", to: "a.md", on: 0)
            play.move("t.md", to: "b.md", on: 0)
            play.settle()
            play.expect(play.lines("a.md", on: 1)?.count == 2, "the second has the first's name")
            play.expect(play.lines("b.md", on: 1)?.count == 1, "the first has the second's name")
            play.expect(play.items("a.md").count == 1, "there are no other names")
        },
        Hazard(number: "19", title: "both rename") { play in
            play.write("n.md", on: 0)
            play.settle()
            play.goOffline(1)
            play.move("n.md", to: "y.md", on: 1)
            play.settle()
            play.move("n.md", to: "x.md", on: 0)
            play.settle()
            play.goOnline(1)
            play.settle()
            play.expect(play.items("x.md").count == 1, "the first to arrive stands")
        },
        Hazard(
            number: "19a", title: "each folder is moved into the other",
            mutants: [.cyclesAccepted]
        ) { play in
            play.makeFolder("F", on: 0)
            play.makeFolder("G", on: 0)
            play.write("F/f.md", on: 0)
            play.write("G/g.md", on: 0)
            play.settle()
            play.goOffline(1)
            play.move("G", to: "F/G", on: 1)
            play.settle()
            play.move("F", to: "G/F", on: 0)
            play.settle()
            play.goOnline(1)
            play.settle()
            play.expect(play.lines("G/F/f.md", on: 1) != nil, "the first move stands")
        },
        Hazard(number: "19b", title: "an edit whose place is gone and taken") { play in
            play.makeFolder("F", on: 0)
            play.write("F/n.md", on: 0)
            play.settle()
            play.goOffline(1)
            play.open("F/n.md", on: 1)
            play.save("F/n.md", on: 1)
            play.settle()
            play.remove("F", on: 0)
            play.settle()
            play.write("F", on: 0)
            play.settle()
            play.goOnline(1)
            play.settle()
            play.expect(!play.items("n.md").isEmpty, "the edited file has a place")
        },
        Hazard(number: "19c", title: "a file becomes a folder") { play in
            play.write("x", on: 0)
            play.settle()
            play.remove("x", on: 0)
            play.makeFolder("x", on: 0)
            play.write("x/in.md", on: 0)
            play.settle()
            play.expect(play.lines("x/in.md", on: 1) != nil, "it is a folder everywhere")
        },
        Hazard(
            number: "19e", title: "half a package", kind: .oneTypist,
            mutants: [.packageReadAtOnce]
        ) { play in
            for device in [0, 0, 1] {
                play.savePackage(on: device)
                play.settle()
            }
            play.expect(play.heads("doc.rtfd").count == 1, "one typist's package has no conflict")
            play.expect(play.lines("doc.rtfd", on: 0)?.count == 6, "the last save is everywhere")
        },
    ]
}
