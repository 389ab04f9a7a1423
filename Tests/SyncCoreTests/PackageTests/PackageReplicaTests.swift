import SyncCore
import Testing

/// Packages on two devices: one item, one version, whole.
@Suite struct PackageReplicaTests {
    private let old = ["text.md": "1\n2\n3\n4\n5\n", "assets/a.png": "A\u{0}"]

    private func with(_ changes: [String: String]) -> [String: String] {
        old.merging(changes) { $1 }
    }

    private func world(_ path: String) -> TestWorld {
        let world = TestWorld()
        world.a.writePackage(path, old)
        world.settle()
        // Somebody has it open on both.
        world.b.open(path)
        return world
    }

    private func kinds(_ world: TestWorld) -> [Kind] {
        world.cloud.items.values.filter { $0.placement.folder != .top }
            .map(\.kind).filter { $0 != .folder }
    }

    @Test func aPackageIsOneItem() {
        let world = world("x.textbundle")
        #expect(kinds(world) == [.package])
        #expect(world.b.readPackage("x.textbundle") == old)
        world.finish()
    }

    /// Each of three writes within less than 2 s of the last: what is between is nobody's version.
    @Test func aPackageIsReadOnceNothingHasHappenedInItForAWhile() throws {
        let world = world("x.rtfd")
        let item = try #require(world.a.item("x.rtfd"))
        for step in 1...3 {
            world.a.writePackage("x.rtfd", with(["text.md": "\(step)\n"]))
            world.settle(seconds: 0)
            world.pass(milliseconds: 1_900)
            if world.a.wakeAt != nil { world.a.wake() }
            world.settle(seconds: 0)
        }
        #expect(world.cloud.history(of: item).count == 1)
        world.settle()
        #expect(world.cloud.history(of: item).count == 2)
        #expect(world.b.readPackage("x.rtfd") == with(["text.md": "3\n"]))
        world.finish()
    }

    /// Read, and changed again before the read was taken.
    @Test func whatWasReadCountsOnlyIfNothingHappenedSince() throws {
        let world = world("x.rtfd")
        let item = try #require(world.a.item("x.rtfd"))
        world.a.writePackage("x.rtfd", with(["text.md": "half\n"]))
        world.settle(seconds: 0)
        world.pass(milliseconds: 2_000)
        let identity = try #require(world.a.disk.stamp(of: world.a.inode("x.rtfd"))).identity
        world.a.onRead = { [a = world.a] in a.report(.stirred(identity)) }
        world.a.wake()
        world.settle(seconds: 0)
        world.a.writePackage("x.rtfd", with(["text.md": "whole\n"]))
        world.settle()
        #expect(world.cloud.history(of: item).count == 2)
        #expect(world.b.readPackage("x.rtfd") == with(["text.md": "whole\n"]))
        world.finish()
    }

    @Test func aPackageThatIsSavedByReplacingTheFolderKeepsItsItem() {
        let world = world("x.rtfd")
        let item = world.a.item("x.rtfd")
        world.a.writePackage("x.rtfd.tmp", with(["text.md": "new\n"]))
        world.a.move("x.rtfd", to: "x.rtfd~")
        world.a.move("x.rtfd.tmp", to: "x.rtfd")
        world.a.watch()
        world.a.remove("x.rtfd~")
        world.settle()
        #expect(world.a.item("x.rtfd") == item)
        #expect(world.b.readPackage("x.rtfd") == with(["text.md": "new\n"]))
        #expect(world.trash.isEmpty)
        world.finish()
    }

    @Test func textBundlesMergeMemberByMember() {
        let world = world("x.textbundle")
        world.goOffline()
        world.a.writePackage("x.textbundle", with(["text.md": "one\n2\n3\n4\n5\n"]))
        world.b.writePackage(
            "x.textbundle", with(["text.md": "1\n2\n3\n4\nfive\n", "assets/b.png": "B\u{0}"]))
        world.settle()
        for device in world.devices {
            device.goOnline()
            world.settle()
        }
        let merged = with(["text.md": "one\n2\n3\n4\nfive\n", "assets/b.png": "B\u{0}"])
        #expect(world.a.readPackage("x.textbundle") == merged)
        #expect(world.b.readPackage("x.textbundle") == merged)
        #expect(world.conflicts == 0)
        world.finish()
    }

    @Test func otherPackagesStayWholeAndAreSettledByAChoice() throws {
        let world = world("x.rtfd")
        world.goOffline()
        let (one, other) = (with(["text.md": "one\n"]), with(["assets/a.png": "B"]))
        world.a.writePackage("x.rtfd", one)
        world.b.writePackage("x.rtfd", other)
        world.settle()
        for device in world.devices {
            device.goOnline()
            world.settle()
        }
        let state = try #require(world.state("x.rtfd"))
        #expect(state.heads.count == 2)
        #expect(world.a.readPackage("x.rtfd") == one)
        #expect(world.b.readPackage("x.rtfd") == one)
        world.check()
        let second = try #require(state.heads.last?.version)
        let content = try #require(world.cloud.version(second)?.content)
        world.b.report(
            .command(
                .resolve(
                    state.id, keep: HeadContent(version: second, content: content), aside: [],
                    seen: state.heads.map(\.version))))
        world.settle()
        #expect(world.a.readPackage("x.rtfd") == other)
        #expect(world.b.readPackage("x.rtfd") == other)
        #expect(world.conflicts == 0)
        world.finish()
    }

    @Test func packagesThatDifferInTimesOnlyAreOne() {
        let world = TestWorld()
        world.goOffline()
        for (device, time) in zip(world.devices, [3, 4] as [Int64]) {
            device.writePackage("x.rtfd", old, modified: time)
        }
        world.settle()
        for device in world.devices {
            device.goOnline()
            world.settle()
        }
        #expect(world.conflicts == 0)
        #expect(kinds(world) == [.package])
        world.finish()
    }

    @Test func packagesOfOneNameMadeApartAreOneItemWithTwoHeads() {
        let world = TestWorld()
        world.goOffline()
        world.a.writePackage("x.textbundle", ["text.md": "a\n"])
        world.b.writePackage("x.textbundle", ["text.md": "b\n"])
        world.settle()
        for device in world.devices {
            device.goOnline()
            world.settle()
        }
        #expect(world.state("x.textbundle")?.heads.count == 2)
        #expect(world.b.readPackage("x.textbundle") == ["text.md": "a\n"])
        world.finish()
    }

    @Test func aPackageIsMovedDeletedAndRenamedAsOne() {
        let world = world("x.rtfd")
        let item = world.a.item("x.rtfd")
        world.a.makeFolder("F")
        world.a.move("x.rtfd", to: "F/plain")
        world.settle()
        #expect(world.b.readPackage("F/plain") == old)
        #expect(world.b.item("F/plain") == item)
        #expect(kinds(world) == [.package])
        // Its kind never changes, whatever its name is.
        world.b.writePackage("F/plain", with(["text.md": "b\n"]))
        world.settle()
        #expect(world.a.readPackage("F/plain") == with(["text.md": "b\n"]))
        world.a.remove("F/plain")
        world.settle()
        #expect(world.b.tree == ["F/": ""])
        #expect(world.trash == ["plain"])
        world.finish()
    }

    /// An edit here, and a newer version there, at the moment of the install.
    @Test func aPackageThatWasChangedBeforeItsInstallIsKept() {
        let world = world("x.rtfd")
        world.a.writePackage("x.rtfd", with(["text.md": "a\n"]))
        world.b.beforeInstall = { [b = world.b, mine = with(["text.md": "b\n"])] in
            b.writePackage("x.rtfd", mine)
        }
        world.settle()
        #expect(world.state("x.rtfd")?.heads.count == 2)
        world.finish()
    }

    /// What is a folder in the account stays one, whatever it is called.
    @Test func aFolderItemWithAPackagesNameStaysAFolder() throws {
        let world = TestWorld()
        world.a.makeFolder("x")
        world.a.write("x/in", "1")
        world.settle()
        world.a.move("x", to: "x.rtfd")
        world.settle()
        #expect(world.b.tree == ["x.rtfd/": "", "x.rtfd/in": "1"])
        let replica = try #require(world.b.replica)
        let item = try #require(world.b.item("x.rtfd"))
        let slot = try #require(replica.slot(of: item))
        let place = try #require(world.b.disk.place(of: world.b.names("x.rtfd")))
        let entry = try #require(world.b.disk.entry(at: place))
        #expect(!replica.isPackage(slot, entry))
        let other = Slot(folder: slot.folder, name: TestDevice.name("y.rtfd"))
        let stranger = DiskEntry(
            kind: .folder,
            stamp: FileStamp(
                identity: FileIdentity(
                    device: 9, inode: 9, birth: FileTime(seconds: 9, nanoseconds: 9)),
                size: 0, mode: 0o755, modified: FileTime(seconds: 9, nanoseconds: 9),
                changed: FileTime(seconds: 9, nanoseconds: 9), links: 2, isRacy: false))
        #expect(replica.isPackage(other, stranger))
        #expect(!replica.isPackage(slot, stranger))
        let plain = Slot(folder: slot.folder, name: TestDevice.name("y"))
        #expect(!replica.isPackage(plain, stranger))
        world.finish()
    }
}
