import Glibc
import SyncCore
import Synchronization
import Testing

@testable import SyncDevice

/// What an ordinary user may do; the tests themselves often run as one who may do everything.
@Suite struct ReadOnlyFolderTests {
    @Test func worksInFoldersThatTheirOwnerMayNotWriteTo() throws {
        try asOrdinaryUser {
            let home = try TemporaryHome()
            let installer = Installer(home)
            mkdir(home.file("d"), 0o755)
            let first = try #require(installer.place("one", at: "d/a").stamp)
            chmod(home.file("d"), 0o555)
            try #require(openAsOther(home.file("d/x"), O_CREAT | O_WRONLY) < 0)

            let second = installer.place("two", at: "d/a", expected: first)
            try #require(home.text("d/a") == "two")
            let made = installer.perform(.makeFolder(at: local("d/e"), mode: 0o555))
            try #require(made.stamp?.mode == 0o555)
            try #require(installer.place("three", at: "d/b").stamp != nil)
            try #require(installer.place("four", at: "d/e/c").stamp != nil)
            let expected = try #require(second.stamp)
            let moved = installer.perform(
                .move(from: local("d/a"), to: local("d/e/a"), expected: expected))
            try #require(moved.stamp != nil)
            // A read-only folder changes its parent.
            let folder = try home.stamp("d/e")
            let out = installer.perform(
                .move(from: local("d/e"), to: local("e"), expected: folder))
            try #require(out.stamp?.mode == 0o555)
            let last = try home.stamp("e/a")
            let removed = installer.perform(
                .remove(at: local("e/a"), kind: .file, expected: last))
            try #require(removed == .done(nil))
            try #require(try home.stamp("d").mode == 0o555)
            try #require(try home.stamp("e").mode == 0o555)
            try #require(home.staged.isEmpty)
        }
    }

    @Test func putsBackAfterACrashWhatItsOwnerMayNotWriteTo() throws {
        try asOrdinaryUser {
            let home = try TemporaryHome()
            try home.write("other", to: "b")
            let expected = FileMark(try home.stamp("b"))
            for (number, path) in [(UInt64(1), "x.rtfd"), (2, "gone/x.rtfd")] {
                let name = StagingName.removed(number, item(1), expected: expected).text
                let staged = "\(home.state)/staging/\(name)"
                mkdir(staged, 0o755)
                try writeBytes(Array("saved".utf8), to: staged + "/text.md")
                chmod(staged, 0o555)
                let recovered = try Installer(home).recover { _ in local(path) }
                guard case .setAside = recovered.first, number == 2 else {
                    try #require(number == 1 && recovered == [.putBack(item(1))])
                    continue
                }
            }
            try #require(home.text("x.rtfd/text.md") == "saved")
            try #require(home.staged.isEmpty)
        }
    }

    @Test func saysWhatIsNotPermitted() throws {
        try asOrdinaryUser {
            let home = try TemporaryHome()
            try home.write("x", to: "a")
            chmod(home.file("a"), 0o000)
            mkdir(home.file("d"), 0o300)
            let chunks = ChunkFolder(home.folders)
            let request = ReadRequest(
                slot: slot("a"), path: local("a"), kind: .file, prefix: nil)
            let outcome = ContentReader(home.folders, chunks: chunks).read(request)
            try #require(outcome == .failed(.notPermitted))
            let error = try #require(throws: DiskError.self) {
                try DiskView(home.folders).list(item(1), at: local("d"), being: nil)
            }
            try #require(error.failure == .notPermitted)
            // Names can be placed all the same, and files nobody may read be replaced.
            let installer = Installer(home)
            try #require(installer.place("y", at: "d/y").stamp != nil)
            let stamp = try home.stamp("a")
            try #require(installer.place("z", at: "a", expected: stamp).stamp != nil)
        }
    }

    /// Runs as another user, on a thread of its own: the file system's user is the thread's.
    private func asOrdinaryUser(_ body: @escaping @Sendable () throws -> Void) throws {
        let failure = Mutex<(any Error)?>(nil)
        let thread = ThreadOfAnEditor {
            if geteuid() == 0 {
                setFileSystemID("setfsgid", 65_534)
                setFileSystemID("setfsuid", 65_534)
            }
            do { try body() } catch { failure.withLock { $0 = error } }
        }
        thread.start()
        thread.join()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}

private func setFileSystemID(_ function: String, _ id: UInt32) {
    typealias Function = @convention(c) (UInt32) -> Int32
    guard let symbol = dlsym(nil, function) else { return }
    _ = unsafeBitCast(symbol, to: Function.self)(id)
}
