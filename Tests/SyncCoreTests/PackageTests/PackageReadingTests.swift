import SyncCore
import Testing

/// Who has read a package that was installed, and one that never rests.
@Suite struct PackageReadingTests {
    private let old = ["text.md": "1\n2\n3\n4\n5\n", "assets/a.png": "A\u{0}"]

    private func with(_ changes: [String: String]) -> [String: String] {
        old.merging(changes) { $1 }
    }

    /// Another device has a new version of it, which nobody here has looked at.
    private func world(_ path: String) -> TestWorld {
        let world = TestWorld()
        world.a.writePackage(path, old)
        world.settle()
        world.b.open(path)
        world.settle()
        world.a.writePackage(path, with(["text.md": "one\n2\n3\n4\n5\n"]))
        world.settle()
        return world
    }

    /// What the watcher tells when something happens in a package.
    private func stir(_ path: String, on device: TestDevice) throws {
        let stamp = try #require(device.disk.stamp(of: device.inode(path)))
        device.report(.stirred(stamp.identity))
        device.run()
    }

    @Test func aSaveFromAnOldTextInAPackageTakesNothingThatNobodyReadThere() {
        let world = world("x.textbundle")
        world.b.writePackage("x.textbundle", with(["text.md": "1\n2\n3\n4\nfive\n"]))
        world.settle()
        let merged = with(["text.md": "one\n2\n3\n4\nfive\n"])
        #expect(world.a.readPackage("x.textbundle") == merged)
        #expect(world.b.readPackage("x.textbundle") == merged)
        world.finish()
    }

    @Test func aPackageThatDoesNotMergeStaysWholeBesideWhatWasNotRead() {
        let world = world("x.rtfd")
        world.b.writePackage("x.rtfd", with(["text.md": "1\n2\n3\n4\nfive\n"]))
        world.settle()
        #expect(world.conflicts == 1)
        world.finish()
    }

    @Test func whoReadsAPackageFirstReplacesIt() {
        let world = world("x.rtfd")
        world.b.open("x.rtfd")
        world.settle()
        world.b.writePackage("x.rtfd", with(["text.md": "five\n"]))
        world.settle()
        #expect(world.conflicts == 0)
        #expect(world.a.readPackage("x.rtfd") == with(["text.md": "five\n"]))
        world.finish()
    }

    /// A reader who comes after the save has read that, and not what was installed.
    @Test func aReaderAfterTheSaveIsNone() throws {
        let world = world("x.rtfd")
        world.b.writePackage("x.rtfd", with(["text.md": "five\n"]))
        try stir("x.rtfd", on: world.b)
        world.b.open("x.rtfd")
        world.settle()
        #expect(world.conflicts == 1)
        world.finish()
    }

    /// Somebody writes in it each second: after a minute it is sent as it is.
    @Test func aPackageThatNeverRestsIsSentAtLast() throws {
        let world = TestWorld()
        world.a.writePackage("x.rtfd", old)
        world.settle()
        let item = try #require(world.a.item("x.rtfd"))
        for second in 1...70 {
            world.a.writePackage("x.rtfd", with(["log": "\(second)\n"]))
            try stir("x.rtfd", on: world.a)
            world.settle(seconds: 0)
            world.pass(milliseconds: 1_000)
            if world.a.wakeAt != nil { world.a.wake() }
            world.settle(seconds: 0)
        }
        #expect(world.cloud.history(of: item).count == 2)
        world.settle()
        #expect(world.b.readPackage("x.rtfd") == with(["log": "70\n"]))
        world.finish()
    }
}
