import SyncCore
import SyncStore
import Testing

/// A person chooses among versions: what nobody here knows is not dropped.
@Suite struct ChoiceTests {
    let world = TestWorld(["x": "x"])
    var a: TestDevice { world.a }
    var b: TestDevice { world.b }

    private func head() throws -> VersionID {
        try #require(world.state("x")?.heads.first?.version)
    }

    // MARK: Old versions

    @Test func anOldVersionBecomesCurrent() throws {
        let old = try head()
        b.edit("x", "newer")
        world.settle()
        a.open("x")
        #expect(a.restore("x", version: old))
        world.settle()
        #expect(a.read("x") == "x")
        #expect(b.read("x") == "x")
        #expect(world.conflicts == 0)
        let item = try #require(a.item("x"))
        #expect(world.cloud.history(of: item).count == 3, "it is a new version")
        world.finish()
    }

    @Test func theVersionThatShowsIsCurrentAlready() throws {
        let length = world.cloud.length
        a.restore("x", version: try head())
        world.settle()
        #expect(world.cloud.length == length)
    }

    @Test func whatNobodyHereHasReadIsNotReplaced() throws {
        let old = try head()
        b.edit("x", "newer")
        world.settle()
        #expect(a.read("x") == "newer")
        #expect(!a.restore("x", version: old))
        // The refusal told of it.
        a.tell(.noteTold(try #require(a.item("x")), [try head()]))
        #expect(a.restore("x", version: old))
        world.settle()
        #expect(world.texts("x") == ["x"])
        world.finish()
    }

    @Test func whatWasListedBeforeItArrivedIsKnown() throws {
        let old = try head()
        a.goOffline()
        b.edit("x", "newer")
        world.settle()
        a.tell(.noteTold(try #require(a.item("x")), [try head(), old]))
        a.goOnline()
        world.settle()
        #expect(a.restore("x", version: old))
        world.settle()
        #expect(world.texts("x") == ["x"])
    }

    @Test func whatComesWhileTheContentIsFetchedStaysBesideIt() throws {
        let item = try #require(a.item("x"))
        let first = try head()
        b.edit("x", "second")
        world.settle()
        a.open("x")
        let second = try head()
        b.edit("x", "third")
        world.settle()
        a.tell(.makeCurrent(item, try #require(world.cloud.version(first)), instead: second))
        world.settle()
        #expect(world.texts("x").sorted() == ["third", "x"])
        world.finish()
    }

    @Test func whoGoesBackTwiceKnowsWhatCameOfTheFirst() throws {
        let first = try head()
        a.edit("x", "second")
        world.settle()
        let second = try head()
        #expect(a.restore("x", version: first))
        world.settle()
        #expect(a.restore("x", version: second))
        world.settle()
        #expect(world.texts("x") == ["second"])
    }

    // MARK: Heads

    private func conflict() throws -> [VersionID] {
        world.goOffline()
        a.edit("x", "a")
        b.edit("x", "b")
        for device in world.devices {
            device.goOnline()
            world.settle()
        }
        return try #require(world.state("x")).heads.map(\.version)
    }

    @Test func aHeadIsKnownWhenItWasTold() throws {
        let heads = try conflict()
        let item = try #require(a.item("x"))
        #expect(a.replica?.untoldHeads(of: item, beside: heads[0]) == [heads[1]])
        a.tell(.noteTold(item, heads))
        #expect(a.replica?.untoldHeads(of: item, beside: heads[0]) == [])
        // Another edit at the other head: that one nobody at A has seen.
        b.tell(.noteTold(item, heads))
        b.tell(
            .resolve(
                item, keep: HeadContent(version: heads[1], content: .inline(Array("b".utf8))),
                aside: [], seen: heads))
        a.goOffline()
        a.edit("x", "a again")
        world.settle()
        a.goOnline()
        world.settle()
        let later = try #require(world.state("x")).heads.map(\.version)
        #expect(later.count == 2)
        #expect(world.texts("x") == ["b", "a again"])
        #expect(a.replica?.untoldHeads(of: item, beside: later[1]) == [later[0]])
        #expect(a.replica?.untoldHeads(of: item, beside: later[0]) == [], "it was saved here")
    }

    @Test func aRestartForgetsWhatWasTold() throws {
        let heads = try conflict()
        let item = try #require(b.item("x"))
        b.tell(.noteTold(item, heads))
        b.crash()
        b.start()
        let shown = try #require(b.replica?.shown(of: item)?.version)
        let other = try #require(heads.first { $0 != shown })
        #expect(b.replica?.untoldHeads(of: item, beside: shown) == [other])
    }

    // MARK: Both

    /// Both devices keep both, at once.
    private func keepBoth(_ one: String, _ other: String) throws {
        let heads = try conflict()
        let item = try #require(a.item("x"))
        let contents = heads.map {
            HeadContent(version: $0, content: world.cloud.version($0)?.content ?? .none)
        }
        func content(_ text: String) throws -> HeadContent {
            try #require(contents.first { $0.content == .inline(Array(text.utf8)) })
        }
        world.goOffline()
        for (device, text) in [(a, one), (b, other)] {
            let kept = try content(text)
            device.tell(
                .resolve(item, keep: kept, aside: contents.filter { $0 != kept }, seen: heads))
        }
        world.settle()
        for device in world.devices { device.goOnline() }
        world.settle()
    }

    @Test func twoWhoKeepBothAtOnceMakeOneCopy() throws {
        try keepBoth("a", "a")
        #expect(a.tree == ["x": "a", "x 2": "b"])
        #expect(b.tree == a.tree)
        #expect(world.conflicts == 0)
        world.finish()
    }

    @Test func twoWhoKeepBothTheOtherWayRoundMakeOneCopy() throws {
        try keepBoth("a", "b")
        #expect(a.tree.keys.sorted() == ["x", "x 2"])
        #expect(Set(a.tree.values) == ["a", "b"])
        #expect(b.tree == a.tree)
        #expect(world.conflicts == 0)
        #expect(a.replica?.status().conflicts == 0)
        world.finish()
    }
}
