import Glibc
import SyncCore
import Testing

@testable import SyncDevice

@Suite struct InstallerRemoveTests {
    let home: TemporaryHome
    let installer: Installer

    init() throws {
        home = try TemporaryHome()
        installer = Installer(home)
    }

    private func remove(
        _ path: String, _ kind: EntryKind = .file, expected: FileStamp
    ) -> JobOutcome {
        installer.perform(.remove(at: local(path), kind: kind, expected: expected))
    }

    @Test func removesTheKnownFile() throws {
        let stamp = try #require(installer.place("x", at: "a").stamp)
        #expect(remove("a", expected: stamp) == .done(nil))
        #expect(listing(home.tree).isEmpty)
        #expect(home.staged.isEmpty)
    }

    @Test func leavesAnEditedFile() throws {
        let stamp = try #require(installer.place("x", at: "a").stamp)
        try home.write("edited", to: "a")
        #expect(remove("a", expected: stamp).found(try home.stamp("a")))
        #expect(home.text("a") == "edited")
    }

    @Test func waitsForAWriter() throws {
        let stamp = try #require(installer.place("x", at: "a").stamp)
        let writer = openAsOther(home.file("a"), O_RDWR)
        defer { close(writer) }
        #expect(remove("a", expected: stamp) == .busy)
        #expect(home.text("a") == "x")
    }

    @Test func removesALink() throws {
        let stamp = try #require(installer.placeLink(to: "x", at: "l").stamp)
        #expect(remove("l", .link, expected: stamp) == .done(nil))
        #expect(listing(home.tree).isEmpty)
    }

    @Test func removesAnEmptyFolder() throws {
        let made = installer.perform(.makeFolder(at: local("d"), mode: 0o755))
        #expect(remove("d", .folder, expected: try #require(made.stamp)) == .done(nil))
        #expect(listing(home.tree).isEmpty)
    }

    @Test func keepsAFolderWithAnythingInIt() throws {
        let made = try #require(
            installer.perform(.makeFolder(at: local("d"), mode: 0o755)).stamp)
        try home.write("x", to: "d/.DS_Store")
        try home.write("x", to: "d/note")
        #expect(remove("d", .folder, expected: made).isUnexpected)
        #expect(listing(home.file("d")) == [".DS_Store", "note"])
        #expect(home.setAside.isEmpty)
    }

    @Test func setsIgnoredFilesAside() throws {
        let made = try #require(
            installer.perform(.makeFolder(at: local("d"), mode: 0o755)).stamp)
        try home.write("junk", to: "d/.DS_Store")
        try home.write("old", to: "d/note~")
        #expect(remove("d", .folder, expected: made) == .done(nil))
        #expect(listing(home.tree).isEmpty)
        #expect(home.setAside == [".DS_Store": "junk", "note~": "old"])
    }

    @Test func keepsAnotherFolderOfTheName() throws {
        let made = try #require(
            installer.perform(.makeFolder(at: local("d"), mode: 0o755)).stamp)
        rename(home.file("d"), home.file("e"))
        mkdir(home.file("d"), 0o755)
        #expect(remove("d", .folder, expected: made).isUnexpected)
        #expect(listing(home.tree) == ["d", "e"])
    }

    @Test func saysThatItIsGone() throws {
        let stamp = try #require(installer.place("x", at: "a").stamp)
        unlink(home.file("a"))
        #expect(remove("a", expected: stamp) == .unexpected(nil))
    }

    /// The folder's name is gone and somebody is still in it.
    @Test func putsAFolderBackIntoWhichSomethingCame() throws {
        let file = home.file("d/late")
        let observed = Installer(
            home.folders, isIgnored: { _ in false },
            observe: { [home] _, moment in
                guard case .swapped = moment else { return }
                let out = home.staged.first { $0.hasPrefix("out_") } ?? ""
                try? writeBytes([1], to: "\(home.state)/staging/\(out)/late")
            })
        let made = try #require(
            observed.perform(.makeFolder(at: local("d"), mode: 0o755)).stamp)
        let task = InstallJob.Task.remove(at: local("d"), kind: .folder, expected: made)
        #expect(observed.perform(task).isUnexpected)
        #expect(readText(file) != nil)
        #expect(home.staged.isEmpty)
    }
}
