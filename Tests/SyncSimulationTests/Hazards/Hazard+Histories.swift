import SyncCore

@testable import SyncSimulation

/// Servers and devices that go back to what they were.
extension Hazard {
    static let histories: [Hazard] = [
        Hazard(
            number: "25", title: "the same backup is put back twice, and one was away",
            kind: .oneTypist, devices: 3, mutants: [.epochAsCounter, .cursorWithoutDigest]
        ) { play in
            play.write("n.md", on: 0)
            play.settle()
            let backup = play.backUpServer()
            play.extend("n.md", on: 0)
            play.write("first.md", on: 0)
            play.settle()
            play.restoreServer(backup)
            play.settle()
            play.extend("n.md", on: 0)
            play.settle()
            play.goOffline(1)
            play.restoreServer(backup)
            play.settle()
            for number in 0..<8 { play.write("since \(number).md", on: 0) }
            play.extend("n.md", on: 0)
            play.settle()
            play.goOnline(1)
            play.settle()
            play.expect(play.lines("n.md", on: 1)?.count == 4, "each line is there")
            play.expect(play.lines("first.md", on: 2) != nil, "what was lost is back")
            play.expect(play.heads("n.md").count == 1, "one typist has one version")
        },
        Hazard(
            number: "25a", title: "a disk is rolled back, and the log grows past a cursor",
            kind: .oneTypist
        ) { play in
            play.write("n.md", on: 0)
            play.settle()
            let backup = play.backUpServer()
            play.extend("n.md", on: 0)
            play.write("lost.md", on: 0)
            play.settle()
            play.goOffline(0)
            play.restoreServer(backup)
            play.settle()
            for number in 0..<8 { play.write("since \(number).md", on: 1) }
            play.settle()
            play.goOnline(0)
            play.settle()
            play.expect(play.lines("since 0.md", on: 0) != nil, "it hears what came since")
            play.expect(play.lines("lost.md", on: 1) != nil, "what was lost is back")
            play.expect(play.heads("n.md").count == 1, "one typist has one version")
        },
        Hazard(
            number: "26", title: "two offer what came after an older version, one further on",
            kind: .oneTypist
        ) { play in
            play.write("n.md", on: 0)
            play.settle()
            let backup = play.backUpServer()
            for _ in 0..<80 { play.extend("n.md", on: 0) }
            play.settle()
            play.goOffline(1)
            for _ in 0..<80 { play.extend("n.md", on: 0) }
            play.settle()
            play.restoreServer(backup)
            play.settle()
            play.goOnline(1)
            play.settle()
            play.expect(play.heads("n.md").count == 1, "one typist has one version")
            play.expect(play.lines("n.md", on: 1)?.count == 161, "the newest one")
        },
        Hazard(
            number: "26a", title: "what was deleted since the backup returns, and a move holds",
            kind: .oneTypist
        ) { play in
            play.write("gone.md", on: 0)
            play.write("here.md", on: 0)
            play.makeFolder("F", on: 0)
            play.settle()
            let backup = play.backUpServer()
            play.remove("gone.md", on: 0)
            play.move("here.md", to: "F/there.md", on: 0)
            play.settle()
            play.restoreServer(backup)
            play.settle()
            play.expect(play.lines("gone.md", on: 1) != nil, "nothing is deleted by a restore")
            play.expect(play.lines("F/there.md", on: 1) != nil, "a move is told again")
            play.expect(play.lines("here.md", on: 0) == nil, "and undone nowhere")
            let isListed = play.world.devices[0].replica?.undeleted.count == 1
            play.expect(isListed, "what returned is listed")
        },
        Hazard(
            number: "27", title: "a device is restored from an image", kind: .oneTypist,
            mutants: [.knownNumberWithoutHash, .numberAtMostLast]
        ) { play in
            play.write("n.md", on: 0)
            play.settle()
            let image = play.imageDevice(0)
            play.extend("n.md", on: 0)
            play.write("since.md", on: 0)
            play.settle()
            play.goOffline(0)
            play.putBack(image)
            play.settle(seconds: 20)
            play.write("after.md", on: 0)
            play.goOnline(0)
            play.settle()
            play.expect(play.lines("after.md", on: 1) != nil, "it arrives")
            play.expect(play.lines("since.md", on: 0) != nil, "what was sent comes back")
            play.expect(play.heads("n.md").count == 1, "one typist has one version")
        },
        Hazard(
            number: "28", title: "a revoked device joins again, with work that it had not sent",
            kind: .oneTypist
        ) { play in
            play.write("n.md", on: 0)
            play.settle()
            var choice = RandomSource(seed: 1)
            play.world.revoke(0, &choice)
            play.extend("n.md", on: 0)
            play.write("unsent.md", on: 0)
            play.settle(seconds: 120)
            play.expect(play.lines("unsent.md", on: 1) != nil, "it is sent under the new key")
            play.expect(play.lines("n.md", on: 1)?.count == 2, "and so is the edit")
            play.expect(play.heads("n.md").count == 1, "one typist has one version")
        },
    ]
}

extension Scenario {
    /// Opens, adds a line, saves and closes.
    mutating func extend(_ name: String, on device: Int) {
        open(name, on: device)
        save(name, on: device)
        world.devices[device].editors = []
        wait(milliseconds: 500)
    }

    mutating func backUpServer() -> Int { world.backUpServer() }

    mutating func restoreServer(_ backup: Int) { world.restoreServer(backup) }

    mutating func imageDevice(_ device: Int) -> Int {
        var choice = RandomSource(seed: 1)
        let count = world.images.count
        run { $0.devices[device].replica?.isQuiet == true && $0.devices[device].jobs.isEmpty }
        world.planImage(of: device, &choice)
        expect(world.images.count == count + 1, "an image is made")
        return world.images.count - 1
    }

    mutating func putBack(_ image: Int) { world.putBack(world.images[image]) }
}
