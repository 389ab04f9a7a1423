import SyncCore
import Testing

/// Heads that merge do so by themselves; what does not is a conflict, and only then is one.
struct MergeTests {
    /// What A and B make of files while they are apart; A's comes first.
    private func apart(
        _ files: [String: String], _ first: (TestDevice) -> Void, _ second: (TestDevice) -> Void
    ) -> TestWorld {
        let world = TestWorld(files)
        world.goOffline()
        first(world.a)
        second(world.b)
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.settle()
        return world
    }

    private func expectOne(
        _ world: TestWorld, _ path: String, _ text: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(world.texts(path) == [text], sourceLocation: location)
        for device in world.devices {
            #expect(device.read(path) == text, sourceLocation: location)
            #expect(device.replica?.conflicts() == [], sourceLocation: location)
        }
        world.finish(location)
    }

    private func expectConflict(
        _ world: TestWorld, _ path: String, _ texts: [String],
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(world.texts(path) == texts, sourceLocation: location)
        for device in world.devices {
            #expect(device.read(path) == texts.first, sourceLocation: location)
            let items = device.replica?.conflicts()
            #expect(items == [world.state(path)?.id].compactMap { $0 }, sourceLocation: location)
            #expect(device.replica?.status().conflicts == 1, sourceLocation: location)
        }
        world.finish(location)
        for device in world.devices {
            #expect(device.replica?.status().conflicts == 1, sourceLocation: location)
        }
    }

    // MARK: Texts

    private static let lines = "1\n2\n3\n4\n5\n"

    @Test func editsOfDifferentLinesMerge() {
        let world = apart(["note.md": Self.lines]) {
            $0.edit("note.md", "a\n2\n3\n4\n5\n")
        } _: {
            $0.edit("note.md", "1\n2\n3\n4\nb\n")
        }
        expectOne(world, "note.md", "a\n2\n3\n4\nb\n")
    }

    @Test func editsOfOneLineAreAConflict() {
        let world = apart(["note.md": Self.lines]) {
            $0.edit("note.md", "1\n2\na\n4\n5\n")
        } _: {
            $0.edit("note.md", "1\n2\nb\n4\n5\n")
        }
        expectConflict(world, "note.md", ["1\n2\na\n4\n5\n", "1\n2\nb\n4\n5\n"])
    }

    @Test func longTextsMergeThroughChunks() {
        let text = (1...60).map { "line \($0)\n" }.joined()
        let first = "first\n" + text
        let second = text + "last\n"
        let world = apart(["note.md": text]) {
            $0.edit("note.md", first)
        } _: {
            $0.edit("note.md", second)
        }
        expectOne(world, "note.md", "first\n" + text + "last\n")
    }

    @Test func manySavesOnBothSidesMergeFromWhatBothHad() {
        let world = TestWorld(["note.md": Self.lines])
        world.goOffline()
        for count in 1...30 {
            world.a.edit("note.md", "a\(count)\n2\n3\n4\n5\n")
            world.b.edit("note.md", "1\n2\n3\n4\nb\(count)\n")
            world.settle()
        }
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.settle()
        expectOne(world, "note.md", "a30\n2\n3\n4\nb30\n")
    }

    /// Hazard 10: nobody ever sees two heads.
    @Test func anEditFromOfflineAndItsMergeGoTogether() {
        let world = TestWorld(["note.md": Self.lines])
        world.b.goOffline()
        world.a.edit("note.md", "a\n2\n3\n4\n5\n")
        world.b.edit("note.md", "1\n2\n3\n4\nb\n")
        world.settle()
        let before = world.cloud.requests
        world.b.goOnline()
        world.settle()
        #expect(world.cloud.requests == before + 1)
        #expect(world.cloud.history(of: world.state("note.md")?.id ?? .top).count == 4)
        expectOne(world, "note.md", "a\n2\n3\n4\nb\n")
    }

    /// The edit does not wait for ever for what its merge needs.
    @Test func anEditGoesAloneWhereItsMergeCannotBeMade() {
        let world = TestWorld(["note.md": Self.lines])
        world.b.goOffline()
        world.a.edit("note.md", "a\n2\n3\n4\n5\n")
        world.b.edit("note.md", "1\n2\n3\n4\nb\n")
        world.settle()
        world.b.cannotFetch = true
        world.b.goOnline()
        world.settle(seconds: 5)
        #expect(world.texts("note.md").count == 2)
        #expect(world.b.replica?.conflicts() == [])
        #expect(world.b.replica?.status().isInSync == false)
        // The other device makes it, after a while.
        world.settle()
        expectOne(world, "note.md", "a\n2\n3\n4\nb\n")
    }

    @Test func whoMadeTheNewestHeadIsGone() {
        let world = TestWorld(["note.md": Self.lines])
        world.b.goOffline()
        world.a.edit("note.md", "a\n2\n3\n4\n5\n")
        world.b.edit("note.md", "1\n2\n3\n4\nb\n")
        world.settle()
        world.b.cannotFetch = true
        world.b.goOnline()
        world.settle(seconds: 5)
        world.b.goOffline()
        world.settle()
        #expect(world.texts("note.md") == ["a\n2\n3\n4\nb\n"])
        world.b.cannotFetch = false
        world.b.goOnline()
        world.settle()
        expectOne(world, "note.md", "a\n2\n3\n4\nb\n")
    }

    @Test func aBufferFromBeforeTheInstallMerges() {
        let world = TestWorld(["note.md": Self.lines])
        world.b.open("note.md")
        world.a.edit("note.md", "a\n2\n3\n4\n5\n")
        world.settle()
        #expect(world.b.read("note.md") == "a\n2\n3\n4\n5\n")
        world.b.write("note.md", "1\n2\n3\n4\nb\n")
        world.settle()
        expectOne(world, "note.md", "a\n2\n3\n4\nb\n")
    }

    // MARK: Content, mode and time, each on its own

    @Test(arguments: [true, false]) func aModeAndAnEditMerge(modeFirst: Bool) {
        let setMode: (TestDevice) -> Void = { $0.setMode(0o600, of: "note.md") }
        let edit: (TestDevice) -> Void = { $0.edit("note.md", "b") }
        let world = apart(
            ["note.md": Self.lines], modeFirst ? setMode : edit, modeFirst ? edit : setMode)
        #expect(world.devices.map { $0.disk.files[$0.inode("note.md")]?.mode } == [0o600, 0o600])
        expectOne(world, "note.md", "b")
    }

    @Test func anEditAndATimeMergeWhateverTheContent() {
        let world = apart(["photo.jpg": "\u{0}1"]) {
            $0.edit("photo.jpg", "\u{0}2")
        } _: {
            $0.setModified(1_000, of: "photo.jpg")
        }
        expectOne(world, "photo.jpg", "\u{0}2")
    }

    @Test func ofTwoModesTheFirstStands() {
        let world = apart(["note.md": "1", "F/": ""]) {
            $0.setMode(0o600, of: "note.md")
            $0.setMode(0o700, of: "F")
        } _: {
            $0.setMode(0o755, of: "note.md")
            $0.setMode(0o750, of: "F")
        }
        for device in world.devices {
            #expect(device.disk.files[device.inode("note.md")]?.mode == 0o600)
            #expect(device.disk.files[device.inode("F")]?.mode == 0o700)
        }
        expectOne(world, "note.md", "1")
    }

    @Test(arguments: ["b\n", String(repeating: "b\n", count: 100), "\u{0}b"])
    func equalBytesMerge(text: String) {
        let world = apart(["note.md": "1\n"]) {
            $0.edit("note.md", text)
        } _: {
            $0.edit("note.md", text)
        }
        expectOne(world, "note.md", text)
    }

    @Test func equalFilesOfOneNameMerge() {
        let world = apart([:]) {
            $0.write("note.md", "1\n")
        } _: {
            $0.write("note.md", "1\n")
        }
        expectOne(world, "note.md", "1\n")
    }

    @Test func aSideThatCameBackToWhatItWasYields() {
        let world = apart(["note.md": "0"]) {
            $0.edit("note.md", "1")
            $0.edit("note.md", "0")
        } _: {
            $0.edit("note.md", "b")
        }
        expectOne(world, "note.md", "b")
    }

    // MARK: What does not merge

    @Test func binariesDoNotMerge() {
        let world = apart(["photo.jpg": "\u{0}1\n2\n3\n"]) {
            $0.edit("photo.jpg", "\u{0}a\n2\n3\n")
        } _: {
            $0.edit("photo.jpg", "\u{0}1\n2\nb\n")
        }
        expectConflict(world, "photo.jpg", ["\u{0}a\n2\n3\n", "\u{0}1\n2\nb\n"])
    }

    @Test func filesOfOneNameWithoutAnAncestorDoNotMerge() {
        let world = apart([:]) {
            $0.write("note.md", "1\na\n")
        } _: {
            $0.write("note.md", "1\nb\n")
        }
        expectConflict(world, "note.md", ["1\na\n", "1\nb\n"])
    }

    @Test func anEditBeatsADeletion() {
        let world = apart(["note.md": Self.lines]) {
            $0.remove("note.md")
        } _: {
            $0.edit("note.md", "b")
        }
        expectOne(world, "note.md", "b")
    }

    /// Hazard 14: the contents are where no device has them.
    @Test func aConflictIsOneAfterARestart() {
        let world = TestWorld(["note.md": "0"])
        world.goOffline()
        world.a.edit("note.md", "a")
        world.b.edit("note.md", "b")
        world.settle()
        world.a.goOnline()
        world.b.goOnline()
        world.settle()
        world.goOffline()
        for device in world.devices {
            device.restart()
            #expect(device.replica?.status().conflicts == 1)
        }
        for device in world.devices { device.goOnline() }
        expectConflict(world, "note.md", ["a", "b"])
    }

    @Test func aConflictStaysOneWhileItIsTypedIn() {
        let world = TestWorld(["note.md": "0"])
        world.goOffline()
        world.a.edit("note.md", "a")
        world.b.edit("note.md", "b")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.settle()
        for count in 1...3 {
            world.a.edit("note.md", "a\(count)")
            world.settle(seconds: 1)
            #expect(world.devices.map { $0.replica?.status().conflicts } == [1, 1])
        }
        expectConflict(world, "note.md", ["a3", "b"])
    }

    /// A branch of a conflict is edited so that it merges.
    @Test func aConflictEndsWhenTheHeadsMerge() {
        let world = TestWorld(["note.md": Self.lines])
        world.goOffline()
        world.a.edit("note.md", "1\n2\na\n4\n5\n")
        world.b.edit("note.md", "1\n2\nb\n4\n5\n")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.settle()
        world.a.edit("note.md", "0\n1\n2\nb\n4\n5\n")
        world.settle()
        expectOne(world, "note.md", "0\n1\n2\nb\n4\n5\n")
    }

    @Test func textsThatAreTooLongToBeMergedAreAConflict() {
        #expect(MergeRule.lines().sizeLimit == 4 << 20)
        let lines = MergeRule.lines(inlineLimit: 100)
        for limit in [10, 11] as [UInt64] {
            let world = TestWorld(["note.md": Self.lines])
            for device in world.devices {
                device.mergeRule = MergeRule(
                    sizeLimit: limit, inlineLimit: 100, isText: lines.isText, merge: lines.merge)
                device.restart()
            }
            world.goOffline()
            world.a.edit("note.md", "a\n2\n3\n4\n5\n")
            world.b.edit("note.md", "1\n2\n3\n4\n55\n")
            for device in world.devices {
                device.goOnline()
                world.settle()
            }
            #expect(world.conflicts == (limit == 10 ? 1 : 0))
        }
    }
}
