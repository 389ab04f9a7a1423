import Glibc
import SyncCore
import Testing

@testable import SyncDevice

/// The kernel's queue of events is full: nothing is known, and that is said.
@Suite struct OverflowTests {
    @Test func tellsOfTheLossAndStillPassesMarkers() throws {
        let home = try TemporaryHome()
        let watcher = try Watcher(home.folders)
        try watcher.watch(.top, at: LocalPath(names: []))
        mkdir(home.file("d"), 0o755)
        try watcher.watch(item(1), at: local("d"))
        for name in ["read", "unread"] {
            try home.write("x", to: name)
        }
        watcher.watchReading(item(2), at: local("read"))
        watcher.watchReading(item(3), at: local("unread"))
        let before = try watcher.barrier()
        let size = Int(readText("/proc/sys/fs/inotify/max_queued_events")?.dropLast() ?? "") ?? 0
        try #require(size > 0 && size < 1_000_000)
        // Two names in turn, since equal events are told once.
        for _ in 0...(size / 2) {
            chmod(home.file("read"), 0o600)
            chmod(home.file("unread"), 0o600)
        }
        #expect(home.text("read") == "x")
        rmdir(home.file("d"))
        let after = try watcher.barrier()
        let told = try watcher.read(at: Instant(nanoseconds: 0)) { _ in nil }
        let loss = try #require(told.firstIndex(of: .overflow))
        #expect(told.firstIndex(of: .passed(before)).map { $0 < loss } == true)
        #expect(told.last == .passed(after))
        #expect(told.contains(.opened(item(2))))
        #expect(!told.contains(.opened(item(3))))
        #expect(told.contains(.folderGone(item(1))))
        #expect(watcher.watchedFolders == [.top])
        // And goes on.
        try home.write("x", to: "a")
        let again = try watcher.barrier()
        #expect(
            try watcher.read(at: Instant(nanoseconds: 0)) { _ in nil }.withoutWriting == [
                .changed(slot("a")), .passed(again),
            ])
    }
}
