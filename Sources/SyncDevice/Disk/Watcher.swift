import Glibc
package import SyncCore
import Synchronization

/// Sees what happens in the folders of the tree, by inotify.
///
/// A watch belongs to a folder, not to its path, and stays with it when it is moved. Any thread
/// may call it; poll ``descriptor`` for reading and then ``read(at:locate:)``.
package final class Watcher: Sendable {
    private let folders: DeviceFolders
    let notifications: Descriptor
    /// Markers are watches on this file, which nobody else can touch.
    private let memory: Descriptor
    let state: Mutex<State>

    struct State {
        var table = WatchTable()
        var pending = PendingWrites()
        var reserve: Int32 = 0
        var lastMarker: UInt64 = 0
        /// Items whose watch was given up: they count as read.
        var givenUp: [ItemID] = []
        /// How often we have a file open ourselves, unseen by its watch.
        var ownOpen: [FileIdentity: Int] = [:]
        var buffer = [UInt8](repeating: 0, count: 65_536)
    }

    package init(_ folders: DeviceFolders) throws(DiskError) {
        self.folders = folders
        notifications = try FileSystemCalls.openNotifications()
        memory = try FileSystemCalls.openMemory()
        let reserve = try FileSystemCalls.addWatch(notifications, memory, mask: Self.markerMask)
        var state = State()
        state.reserve = reserve
        state.table.setMark(reserve, .reserve)
        self.state = Mutex(state)
    }

    /// Readable when there is something to read.
    package var descriptor: Int32 { notifications.number }

    /// When ``read(at:locate:)`` has something to tell though nothing happened; nil for never.
    package var nextDue: Instant? {
        state.withLock { state in
            state.givenUp.isEmpty ? state.pending.next : Instant(nanoseconds: 0)
        }
    }

    /// Files that somebody is writing, and that are not told yet.
    package var pendingWrites: [Slot] { state.withLock { $0.pending.slots } }

    // MARK: Folders

    /// Watches a folder of the tree, again if it is another folder than before.
    package func watch(_ folder: ItemID, at path: LocalPath) throws(DiskError) {
        let open = try folders.folder(at: path.names)
        try state.withLock { (state) throws(DiskError) in
            let watch = try FileSystemCalls.addWatch(notifications, open, mask: Self.folderMask)
            guard let old = state.table.setFolder(folder, watch) else { return }
            _ = FileSystemCalls.removeWatch(notifications, old)
        }
    }

    package func unwatch(_ folder: ItemID) {
        state.withLock { state in
            guard let watch = state.table.removeFolder(folder) else { return }
            _ = FileSystemCalls.removeWatch(notifications, watch)
        }
    }

    package var watchedFolders: [ItemID] { state.withLock { $0.table.watchedFolders } }

    // MARK: Readers

    /// The most files that are watched for readers; the oldest are given up, and count as read.
    package static var readingLimit: Int { 10_000 }

    /// Tells once, by ``WatchEvent/opened(_:)``, when another program opens the file for reading.
    ///
    /// Where no watch can be had that is told at once: what is not known counts as read.
    package func watchReading(_ item: ItemID, at path: LocalPath) {
        do {
            watchReading(item, try FileSystemCalls.openEntry(folders.spot(of: path)))
        } catch {
            // What is gone will not be read.
            if !error.isMissing { state.withLock { $0.givenUp.append(item) } }
        }
    }

    /// The same for a file that has no name in the tree yet.
    package func watchReading(_ item: ItemID, _ open: Descriptor) {
        state.withLock { state in
            do {
                let watch = try FileSystemCalls.addWatch(
                    notifications, open, mask: Self.readingMask)
                state.table.addReading(item, watch)
            } catch {
                state.givenUp.append(item)
            }
            guard state.table.waitingCount > Self.readingLimit else { return }
            guard let oldest = state.table.endOldestReading() else { return }
            _ = FileSystemCalls.removeWatch(notifications, oldest.watch)
            state.givenUp.append(oldest.item)
        }
    }

    /// Whether the file is watched and, as far as is known, unread.
    package func isWatchingReading(_ item: ItemID) -> Bool {
        state.withLock { $0.table.isWaiting(item) }
    }

    /// Lets us replace the file; whatever was read of it before is not told any more.
    ///
    /// True if the file was watched and unread: then watch it again, should it stay.
    package func forgetReading(_ item: ItemID) -> Bool {
        state.withLock { state in
            if state.table.readers.forget(item) { return true }
            let wasWaiting = state.table.endReading(item) != nil
            var isUnread = false
            for watch in state.table.forgetReading(item)
            where FileSystemCalls.removeWatch(notifications, watch) {
                isUnread = true
            }
            return wasWaiting && isUnread
        }
    }

    // MARK: Our own reading

    /// We have the file open, by a ``QuietFile``.
    func noteOpened(_ file: FileIdentity) {
        state.withLock { $0.ownOpen[file, default: 0] += 1 }
    }

    /// How often we have the file open ourselves, by a ``QuietFile``.
    func openCount(_ file: FileIdentity) -> Int { state.withLock { $0.ownOpen[file] ?? 0 } }

    /// Closes a file of ours by the closure, so that its watch does not tell of it.
    ///
    /// The watch stays meanwhile: who reads the file is seen.
    func unseen(_ file: FileIdentity, _ entry: Descriptor, _ close: () -> Void) {
        state.withLock { state in
            let count = (state.ownOpen[file] ?? 1) - 1
            state.ownOpen[file] = count > 0 ? count : nil
            guard let watch = narrow(entry, state.table) else { return close() }
            close()
            // It is another if the file was read meanwhile, and is none that anybody waits for.
            let again = try? FileSystemCalls.addWatch(
                notifications, entry, mask: Self.readingMask)
            if let again, again != watch { drop(again, state.table) }
        }
    }

    /// Has the file's watch, if there is one, tell of reading only and not of closing.
    private func narrow(_ entry: Descriptor, _ table: WatchTable) -> Int32? {
        guard
            let watch = try? FileSystemCalls.addWatch(
                notifications, entry, mask: Self.accessMask)
        else { return nil }
        if case .reading? = table[watch] { return watch }
        drop(watch, table)
        return nil
    }

    /// Takes back a watch that nobody has asked for.
    private func drop(_ watch: Int32, _ table: WatchTable) {
        guard table[watch] == nil else { return }
        _ = FileSystemCalls.removeWatch(notifications, watch)
    }

    // MARK: Markers

    /// Puts a marker into the queue of events: when it comes out, all before it has been told.
    ///
    /// It is a watch that is taken away: the kernel puts a word of that behind everything that has
    /// happened, and nothing is written to any disk. A watch is kept in reserve, so that a marker
    /// is there also when folders have taken all watches that the kernel gives.
    package func barrier() throws(DiskError) -> Marker {
        try state.withLock { (state) throws(DiskError) in
            state.lastMarker += 1
            let marker = Marker(number: state.lastMarker)
            try mark(.marker(marker), &state)
            return marker
        }
    }

    /// Puts into the queue of events what is to be learnt when it comes out.
    func mark(_ subject: WatchTable.Subject, _ state: inout State) throws(DiskError) {
        if state.table[state.reserve] != .reserve {
            state.reserve = try addReserve()
            state.table.setMark(state.reserve, .reserve)
        }
        let watch = state.reserve
        state.table.setMark(watch, subject)
        guard FileSystemCalls.removeWatch(notifications, watch) else {
            throw .last("inotify_rm_watch")
        }
        if let reserve = try? addReserve() {
            state.reserve = reserve
            state.table.setMark(reserve, .reserve)
        }
    }

    private func addReserve() throws(DiskError) -> Int32 {
        try FileSystemCalls.addWatch(notifications, memory, mask: Self.markerMask)
    }

    // MARK: Events

    /// Takes all events that are there, without waiting.
    ///
    /// It is given the steady clock's time, and where a watched folder is now, to look at files
    /// that were just made; the closure does not call the watcher.
    package func read(
        at now: Instant, locate: (ItemID) -> LocalPath?
    ) throws(DiskError) -> [WatchEvent] {
        try state.withLock { (state) throws(DiskError) in
            var digestion = WatchDigestion(table: state.table, pending: state.pending, now: now)
            // So that the tables are changed in place and not copied.
            state.table = WatchTable()
            state.pending = PendingWrites()
            defer {
                state.table = digestion.table
                state.pending = digestion.pending
            }
            digestion.tellOpened(state.givenUp)
            state.givenUp = []
            var lost = false
            for _ in 0..<Self.readsAtOnce {
                let batch = try FileSystemCalls.readNotifications(notifications, &state.buffer)
                guard !batch.isEmpty else { break }
                for notification in batch {
                    if notification.has(IN_Q_OVERFLOW) {
                        lost = true
                        digestion.knowsReaders = false
                    } else {
                        digestion.take(notification)
                    }
                }
            }
            if lost {
                digestion.takeLoss(live: try FileSystemCalls.liveWatches(notifications))
            }
            for slot in digestion.created where isFinished(slot, locate) {
                digestion.end(slot)
            }
            digestion.tellDue()
            return digestion.events
        }
    }

    /// A file that was just made and that nobody is writing to; links and the like are so at once.
    private func isFinished(_ slot: Slot, _ locate: (ItemID) -> LocalPath?) -> Bool {
        guard let path = locate(slot.folder) else { return false }
        do {
            let spot = Spot(try folders.folder(at: path.names), slot.name)
            guard let entry = try FileSystemCalls.lookIfThere(spot) else { return true }
            if entry.kind != .file || entry.stamp.links > 1 { return true }
            // Where the kernel does not say who writes, the file has to be quiet for a while.
            return FileSystemCalls.hasWriter(try FileSystemCalls.openContent(spot)) == false
        } catch {
            return error.isMissing
        }
    }

    /// Bounds a call while programs write without end.
    private static var readsAtOnce: Int { 64 }

    static var folderMask: UInt32 {
        UInt32(
            bitPattern: IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO
                | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
                | IN_EXCL_UNLINK)
    }

    private static var readingMask: UInt32 { accessMask | UInt32(bitPattern: IN_CLOSE_NOWRITE) }

    private static var accessMask: UInt32 { UInt32(bitPattern: IN_ACCESS) | UInt32(IN_ONESHOT) }

    private static var markerMask: UInt32 { UInt32(bitPattern: IN_ATTRIB) }
}
