import DeviceSocket
import Glibc
import SyncCore
import SyncStore
import SyncWire

/// Room that the device keeps free on its disk, by evicting what was not used for longest.
struct FreeRoom {
    /// In bytes; 0 for none.
    var wanted: UInt64 = 0
    /// When the disk is looked at next.
    var due: Instant?
    var search = RoomSearch()
    /// What was to be evicted when it was looked at last.
    var chosen: [ItemID] = []
}

extension Daemon {
    private static let roomSetting = "keep-free"
    /// Between two looks at the disk, in milliseconds; and after an eviction.
    private static let roomPause: Int64 = 15_000
    private static let evictionPause: Int64 = 2_000

    /// What was asked for before the daemon was started.
    func readRoom() throws(StoreError) {
        let stored = try store.setting(Daemon.roomSetting)
        setRoom(stored.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } ?? 0)
    }

    private func setRoom(_ wanted: UInt64) {
        room.wanted = wanted
        room.due = wanted == 0 ? nil : Clock.now().steady
        lookAtAllForRoom()
        session?.touched = nil
    }

    /// More can be evicted than what has changed tells.
    func lookAtAllForRoom() { room.search = RoomSearch() }

    func keepFree(_ bytes: UInt64, _ caller: Caller) {
        do throws(StoreError) {
            try store.setSetting(
                Daemon.roomSetting, bytes == 0 ? nil : Array("\(bytes)".utf8))
        } catch {
            return fail(caller, .failed, "the device's own state cannot be written: \(error)")
        }
        setRoom(bytes)
        reply(.done, to: caller)
    }

    /// Evicts what makes the room that is missing, if any is.
    func makeRoom() {
        let now = Clock.now().steady
        guard let due = room.due, due <= now, let session, !session.hasWork else { return }
        room.due = now.advanced(milliseconds: Daemon.roomPause)
        guard session.link.condition == .open, let free = freeBytes() else { return }
        guard free < room.wanted else {
            // When it is short again, something else may be why.
            lookAtAllForRoom()
            session.touched = nil
            return
        }
        let replica = session.replica
        if session.touched == nil { lookAtAllForRoom() }
        let scope = room.search.begin(
            changed: session.touched ?? [],
            hasMadeRoom: room.chosen.contains { replica.isPlaceholder($0) }, at: now)
        session.touched = []
        var candidates: [RoomRule.Candidate] = []
        for (id, path) in replica.evictableFiles(scope) {
            if let candidate = candidate(id, path) { candidates.append(candidate) }
        }
        room.chosen = RoomRule.choose(candidates, free: free, wanted: room.wanted)
        room.search.end(hasChosen: !room.chosen.isEmpty, at: now)
        for id in room.chosen {
            guard let path = replica.path(of: id), !session.disk.hasWriter(path) else { continue }
            session.feed(.command(.setResidence(id, .evicted)))
        }
        if !room.chosen.isEmpty { room.due = now.advanced(milliseconds: Daemon.evictionPause) }
    }

    private func freeBytes() -> UInt64? {
        var status = statvfs()
        let path = home.containers.map { CChar(bitPattern: $0) } + [0]
        guard unsafe statvfs(path, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// Who opens a file, writes it or has it fetched uses it; our own reading of it is none, as far
    /// as the file system tells.
    private func candidate(_ id: ItemID, _ path: LocalPath) -> RoomRule.Candidate? {
        let file = (home.containers + [0x2F] + path.bytes).map { CChar(bitPattern: $0) } + [0]
        var status = stat()
        guard unsafe lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        let opened = status.st_atim
        return RoomRule.Candidate(
            item: id, size: UInt64(max(0, status.st_blocks)) * 512,
            used: FileTime(
                seconds: Int64(opened.tv_sec), nanoseconds: UInt32(opened.tv_nsec)))
    }
}
