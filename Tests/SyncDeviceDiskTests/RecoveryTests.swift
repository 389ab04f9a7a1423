import Glibc
import SyncCore
import Testing

@testable import SyncDevice

/// What is found in the device's own folders after a crash at any line.
@Suite struct RecoveryTests {
    let home: TemporaryHome
    let installer: Installer

    init() throws {
        home = try TemporaryHome()
        installer = Installer(home)
    }

    private func recover(_ path: String? = "a") throws -> [Installer.Recovered] {
        try installer.recover { $0 == item(1) ? path.map { local($0) } : nil }
    }

    private func stage(_ text: String, _ name: String) throws {
        try writeBytes(Array(text.utf8), to: "\(home.state)/staging/\(name)")
    }

    private func mark(_ path: String) throws -> FileMark { FileMark(try home.stamp(path)) }

    /// The files of a replacement that died after its swap.
    private func dieAfterSwap(out: String, expected: FileMark) throws {
        try home.write("new", to: "a")
        let name = StagingName.incoming(ours: try mark("a"), item(1), expected: expected)
        try stage(out, name.text)
    }

    @Test func namesSayWhatTheyMean() throws {
        try home.write("x", to: "a")
        let mark = try mark("a")
        let extreme = FileMark(
            FileStamp(
                identity: FileIdentity(
                    device: .max, inode: .max,
                    birth: FileTime(seconds: -1, nanoseconds: .max)), size: .max, mode: 0o777,
                modified: FileTime(seconds: .min, nanoseconds: .max),
                changed: FileTime(seconds: 0, nanoseconds: 0), links: 1, isRacy: true))
        let names: [StagingName] = [
            .fresh(7), .incoming(ours: mark, item(1), expected: extreme),
            .incoming(ours: extreme, item(1), expected: extreme),
            .removed(.max, item(2), expected: extreme), .replaced(3, item(2), expected: mark),
            .opened(4, .top, mark),
            .leaving(.max, item(2), judgedAt: FileTime(seconds: -1, nanoseconds: 999_999_999)),
        ]
        for name in names {
            #expect(StagingName(name.text) == name)
            #expect(Name(name.text) != nil)
        }
        for text in ["", "in", "new_", "new_x", "in_1_2_3", "out_1_\(item(1).text)_1.2"] {
            #expect(StagingName(text) == nil)
        }
    }

    @Test func removesOurOwn() throws {
        try stage("half", StagingName.fresh(1).text)
        try home.write("old", to: "a")
        try home.write("new", to: "b")
        let name = StagingName.incoming(ours: try mark("b"), item(1), expected: try mark("a"))
        rename(home.file("b"), "\(home.state)/staging/\(name.text)")
        #expect(try recover() == [])
        #expect(home.staged.isEmpty)
        #expect(home.text("a") == "old")
    }

    @Test func removesTheKnownOldVersion() throws {
        try home.write("old", to: "b")
        let old = try mark("b")
        try home.write("new", to: "a")
        let name = StagingName.incoming(ours: try mark("a"), item(1), expected: old)
        rename(home.file("b"), "\(home.state)/staging/\(name.text)")
        #expect(try recover() == [])
        #expect(home.staged.isEmpty)
        #expect(home.text("a") == "new")
    }

    @Test func putsBackAnUnknownSave() throws {
        try home.write("old", to: "b")
        try dieAfterSwap(out: "saved", expected: try mark("b"))
        #expect(try recover() == [.putBack(item(1))])
        #expect(home.text("a") == "saved")
        #expect(home.staged.isEmpty)
    }

    @Test func setsASaveAsideIfAnotherIsThere() throws {
        try home.write("old", to: "b")
        try dieAfterSwap(out: "saved", expected: try mark("b"))
        try home.write("later", to: "a")
        guard case .setAside(item(1), _)? = try recover().first else {
            Issue.record("not set aside")
            return
        }
        #expect(home.text("a") == "later")
        #expect(home.setAside == ["a": "saved"])
    }

    @Test func setsASaveAsideIfItsPathIsUnknown() throws {
        try home.write("old", to: "b")
        try dieAfterSwap(out: "saved", expected: try mark("b"))
        #expect(try recover(nil).count == 1)
        #expect(home.text("a") == "new")
        #expect(Array(home.setAside.values) == ["saved"])
    }

    @Test func endsARemovalOfTheKnown() throws {
        try home.write("old", to: "a")
        let name = StagingName.removed(1, item(1), expected: try mark("a"))
        rename(home.file("a"), "\(home.state)/staging/\(name.text)")
        #expect(try recover() == [])
        #expect(home.staged.isEmpty)
        #expect(listing(home.tree).isEmpty)
    }

    @Test func undoesARemovalOfTheUnknown() throws {
        try home.write("old", to: "b")
        try stage("edited", StagingName.removed(1, item(1), expected: try mark("b")).text)
        #expect(try recover("d/a").count == 1)
        #expect(Array(home.setAside.values) == ["edited"])
        try stage("edited", StagingName.removed(2, item(1), expected: try mark("b")).text)
        #expect(try recover("a") == [.putBack(item(1))])
        #expect(home.text("a") == "edited")
    }

    @Test func putsBackFoldersThatAreNotEmpty() throws {
        mkdir(home.file("d"), 0o755)
        let expected = try mark("d")
        for (number, isEmpty) in [(UInt64(1), true), (2, false)] {
            let name = StagingName.removed(number, item(1), expected: expected).text
            mkdir("\(home.state)/staging/\(name)", 0o755)
            if !isEmpty { try stage("x", "\(name)/inner") }
        }
        #expect(try recover("e") == [.putBack(item(1))])
        #expect(home.text("e/inner") == "x")
        #expect(home.staged.isEmpty)
    }

    @Test func putsBackWhatMadeRoom() throws {
        try home.write("old", to: "a")
        let name = StagingName.replaced(1, item(1), expected: try mark("a"))
        rename(home.file("a"), "\(home.state)/staging/\(name.text)")
        #expect(try recover() == [.putBack(item(1))])
        #expect(home.text("a") == "old")
    }

    @Test func setsAsideWhatHasNoMeaning() throws {
        try stage("?", "something")
        #expect(try recover().count == 1)
        #expect(home.setAside == ["something": "?"])
        #expect(home.staged.isEmpty)
    }

    /// Deeper than a package may be, so that it cannot be judged.
    private func stageWhatCannotBeJudged(_ name: StagingName) throws {
        var spot = Spot(home.folders.staging, name.text)
        for _ in 0...(PackageMember.longestPath / 200 + 1) {
            try FileSystemCalls.makeFolder(spot, mode: 0o755)
            spot = Spot(try FileSystemCalls.openFolder(spot), String(repeating: "x", count: 200))
        }
    }

    @Test func whatCannotBeJudgedKeepsNothingElse() throws {
        try home.write("old", to: "b")
        let mark = try mark("b")
        let names = [
            StagingName.removed(1, item(1), expected: mark),
            .incoming(ours: mark, item(2), expected: mark),
        ]
        for name in names { try stageWhatCannotBeJudged(name) }
        try stage("half", StagingName.fresh(1).text)
        try stage("saved", StagingName.replaced(9, item(3), expected: mark).text)
        let recovered = try installer.recover { $0 == item(2) ? nil : local("a\($0 == item(1))") }
        #expect(recovered.contains(.putBack(item(1))))
        #expect(recovered.contains(.putBack(item(3))))
        #expect(recovered.count == 3)
        #expect(home.text("afalse") == "saved")
        #expect(listing(home.file("atrue")).count == 1)
        #expect(home.staged.isEmpty)
    }

    @Test func whatCannotBeUnderstoodStaysAndIsNamed() throws {
        try home.write("x", to: "b")
        let note = StagingName.opened(1, .top, try mark("b")).text
        try stage("no link", note)
        try stage("half", StagingName.fresh(2).text)
        let reason = DiskError(code: EINVAL, call: "readlinkat")
        #expect(try recover() == [.left(Name(note)!, reason)])
        #expect(home.staged == [note])
    }

    @Test func closesAFolderThatWasOpenForTheMoment() throws {
        mkdir(home.file("d"), 0o555)
        chmod(home.file("d"), 0o555)
        let mark = try mark("d")
        symlink(
            home.file("d"), "\(home.state)/staging/\(StagingName.opened(1, .top, mark).text)")
        chmod(home.file("d"), 0o755)
        #expect(try recover() == [])
        #expect(try home.stamp("d").mode == 0o555)
        #expect(home.staged.isEmpty)
    }
}
