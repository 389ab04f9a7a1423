import SyncCore
import SyncStore
import Testing

/// Heads that a third device has left: more than two, and such with several common ancestors.
struct SeveralHeadsTests {
    /// A and B, both with the note of a third device.
    private func world(_ text: String = "1\n2\n3\n4\n5\n6\n7\n") -> TestWorld {
        let world = TestWorld(["note.md": text])
        world.settle()
        return world
    }

    private func first(_ world: TestWorld) -> VersionID {
        world.state("note.md")?.heads.first?.version ?? "none"
    }

    /// A third device, `c`, saves texts that were made from these versions, in one request.
    private func save(
        _ world: TestWorld, _ texts: [(VersionID, from: [VersionID], String)]
    ) {
        let item = world.state("note.md")?.id ?? .top
        let last = (try? world.cloud.store.incarnation(Incarnation(7)))??.last ?? 0
        let operations = texts.enumerated().map { index, save in
            let bytes = Array(save.2.utf8)
            let facts = VersionFacts(
                digest: testVault.hash(bytes), size: UInt64(bytes.count), mode: 0o644,
                modified: FileTime(seconds: 1_000 + Int64(index), nanoseconds: 0))
            let version = Version(
                id: save.0, parents: save.from, nature: .edit, facts: facts.bytes,
                content: .inline(bytes))
            return Operation(
                number: last + UInt64(index) + 1, age: 0, body: .edit(item: item, version: version))
        }
        _ = world.cloud.decide(operations, of: Incarnation(7), by: "c")
        for device in world.devices { device.deliver() }
    }

    private func expectAgreement(
        _ world: TestWorld, _ texts: [String], _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(world.texts("note.md") == texts, sourceLocation: location)
        for device in world.devices {
            #expect(device.read("note.md") == texts.first, sourceLocation: location)
            let count = device.replica?.status().conflicts
            #expect(count == (texts.count > 1 ? 1 : 0), sourceLocation: location)
        }
        world.finish(location)
    }

    private func merges(_ world: TestWorld) -> [[VersionID]] {
        world.cloud.history(of: world.state("note.md")?.id ?? .top)
            .filter { $0.nature == .settlement }.map(\.parents)
    }

    @Test func threeHeadsMergeOneAfterTheOther() {
        let world = world()
        let v0 = first(world)
        save(
            world,
            [
                ("h1", [v0], "a\n2\n3\n4\n5\n6\n7\n"), ("h2", [v0], "1\n2\n3\nb\n5\n6\n7\n"),
                ("h3", [v0], "1\n2\n3\n4\n5\n6\nc\n"),
            ])
        world.settle()
        #expect(merges(world).count == 2)
        #expect(merges(world).first == ["h1", "h2"])
        expectAgreement(world, ["a\n2\n3\nb\n5\n6\nc\n"])
    }

    @Test func theFirstPairThatMergesGoesFirst() {
        let world = world()
        let v0 = first(world)
        save(
            world,
            [
                ("h1", [v0], "a\n2\n3\n4\n5\n6\n7\n"), ("h2", [v0], "b\n2\n3\n4\n5\n6\n7\n"),
                ("h3", [v0], "1\n2\n3\n4\n5\n6\nc\n"),
            ])
        world.settle()
        #expect(merges(world) == [["h1", "h3"]])
        expectAgreement(world, ["a\n2\n3\n4\n5\n6\nc\n", "b\n2\n3\n4\n5\n6\n7\n"])
    }

    /// Hazard 6: two merges of the same heads, each typed on.
    @Test func severalAncestorsAreMergedThemselves() {
        let world = world()
        let v0 = first(world)
        save(
            world,
            [
                ("h1", [v0], "a\n2\n3\n4\n5\n6\n7\n"), ("h2", [v0], "1\n2\n3\n4\n5\n6\nb\n"),
                ("x", ["h1", "h2"], "a\n2\nx\n4\n5\n6\nb\n"),
                ("y", ["h1", "h2"], "a\n2\n3\n4\ny\n6\nb\n"),
            ])
        world.settle()
        #expect(merges(world) == [["x", "y"]])
        expectAgreement(world, ["a\n2\nx\n4\ny\n6\nb\n"])
    }

    /// Hazard 7: two settlements of one conflict, each typed on: neither is dropped.
    @Test func severalAncestorsThatDoNotMergeAreNoBase() {
        let world = world()
        let v0 = first(world)
        let texts = ["a\n2\n3\n4\n5\n6\nx\n", "b\n2\n3\n4\n5\n6\n7\n"]
        save(
            world,
            [
                ("h1", [v0], "a\n2\n3\n4\n5\n6\n7\n"), ("h2", [v0], "b\n2\n3\n4\n5\n6\n7\n"),
                ("x", ["h1", "h2"], texts[0]), ("y", ["h1", "h2"], texts[1]),
            ])
        world.settle()
        #expect(merges(world) == [])
        expectAgreement(world, texts)
    }

    @Test func aHeadThatIsInTheOthersPastYields() {
        let world = world("0")
        let v0 = first(world)
        save(world, [("h1", [v0], "1"), ("h3", ["h2"], "3"), ("h2", ["h1"], "2")])
        world.settle()
        #expect(merges(world) == [["h2", "h3"]])
        expectAgreement(world, ["3"])
    }

    @Test func whatWasMadeFromNothingKnownIsLeftToAPerson() {
        let world = world()
        save(world, [("h1", ["elsewhere"], "a\n2\n3\n4\n5\n6\n7\n")])
        world.settle()
        expectAgreement(
            world, ["1\n2\n3\n4\n5\n6\n7\n", "a\n2\n3\n4\n5\n6\n7\n"])
    }

    /// A merge that comes too late is refused, and not sent again before the log tells why.
    @Test func aStaleMergeIsMadeAgainFromTheNewHeads() {
        let world = world()
        let v0 = first(world)
        save(
            world,
            [
                ("h1", [v0], "a\n2\n3\n4\n5\n6\n7\n"), ("h2", [v0], "1\n2\n3\n4\n5\n6\nb\n"),
            ])
        world.b.goOffline()
        // The push stream of A is dead and says nothing.
        world.cloud.listeners[world.a.id] = nil
        save(world, [("h3", ["h1"], "a\n2\n3\nc\n5\n6\n7\n")])
        let requests = world.cloud.requests
        world.settle()
        #expect(world.cloud.requests == requests + 1)
        #expect(world.texts("note.md").count == 2)
        world.a.goOnline()
        world.b.goOnline()
        world.settle()
        #expect(merges(world) == [["h3", "h2"]])
        expectAgreement(world, ["a\n2\n3\nc\n5\n6\nb\n"])
    }

    /// Hazard 13: a choice among heads that are some others by now does nothing.
    @Test func aChoiceAndAMergeAtOnce() {
        let world = world()
        let v0 = first(world)
        save(
            world,
            [
                ("h1", [v0], "a\n2\n3\n4\n5\n6\n7\n"), ("h2", [v0], "b\n2\n3\n4\n5\n6\n7\n"),
            ])
        world.settle()
        world.cloud.listeners[world.a.id] = nil
        save(world, [("h3", ["h2"], "a\n2\n3\n4\n5\n6\nc\n")])
        guard let item = world.state("note.md")?.id else { return }
        let keep = HeadContent(
            version: "h1", content: .inline(Array("a\n2\n3\n4\n5\n6\n7\n".utf8)))
        world.a.report(.command(.resolve(item, keep: keep, aside: [], seen: ["h1", "h2"])))
        world.a.run()
        world.settle()
        world.a.goOnline()
        world.settle()
        expectAgreement(world, ["a\n2\n3\n4\n5\n6\nc\n"])
    }

    /// A choice of a long text waits for its chunks, and calls for a merge with what follows.
    @Test func aModeIsChangedWhileALongChoiceIsOnItsWay() {
        func long(_ line: String) -> String { String(repeating: line + "\n", count: 60) }
        let world = TestWorld(["note.md": long("0")])
        world.goOffline()
        world.a.edit("note.md", long("a"))
        world.b.edit("note.md", long("b"))
        for device in world.devices {
            device.goOnline()
            world.settle()
        }
        guard let state = world.state("note.md"), state.heads.count == 2 else {
            Issue.record("the two saves met")
            return
        }
        let heads = state.heads.map(\.version)
        let content = world.cloud.version(heads[1])?.content ?? .none
        world.a.holdsUploads = true
        world.a.tell(
            .resolve(
                state.id, keep: HeadContent(version: heads[1], content: content), aside: [],
                seen: heads))
        world.a.setMode(0o600, of: "note.md")
        world.settle(seconds: 30)
        world.a.finishUploads()
        world.settle()
        expectAgreement(world, [long("b")])
        #expect(world.b.disk.files[world.b.inode("note.md")]?.mode == 0o600)
    }
}
