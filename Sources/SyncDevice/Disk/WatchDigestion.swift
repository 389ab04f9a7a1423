import CLinux
import SyncCore

/// Turns what inotify gave at once into what is to be told.
struct WatchDigestion {
    var table: WatchTable
    var pending: PendingWrites
    let now: Instant
    private(set) var events: [WatchEvent] = []
    /// Files that were made and not closed yet.
    private(set) var created: Set<Slot> = []
    /// False once events were lost: whose reading it is cannot be told then.
    var knowsReaders = true
    private var told: Set<Slot> = []
    private var writing: Set<Slot> = []
    private var stirred: Set<FileIdentity> = []

    init(table: WatchTable, pending: PendingWrites, now: Instant) {
        self.table = table
        self.pending = pending
        self.now = now
    }

    mutating func take(_ event: Notification) {
        if event.has(IN_IGNORED) {
            takeDrop(of: event.watch)
            return
        }
        switch table[event.watch] {
        case .folder(let folder)?:
            if let name = event.name {
                takeChange(Slot(folder: folder, name: name), event)
            } else if event.has(IN_MOVE_SELF) {
                events.append(.folderMoved(folder))
            }
        case .reading(let items)?:
            tellOpened(items)
        case .package(let identity)?: takeStir(of: identity, event)
        case .marker?, .turn?, .reserve?, nil: break
        }
    }

    /// What concerns the package's own folder is told by the one that it is in.
    private mutating func takeStir(of package: FileIdentity, _ event: Notification) {
        guard let name = event.name, !IgnoredNames.contains(name) else { return }
        if event.has(IN_ACCESS | IN_CLOSE_NOWRITE) {
            // Who looks into a folder has read none of its files.
            guard !event.has(IN_ISDIR), knowsReaders,
                let item = table.readers.takeRead(of: package)
            else { return }
            return tellOpened([item])
        }
        if stirred.insert(package).inserted { events.append(.stirred(package)) }
    }

    private mutating func takeChange(_ slot: Slot, _ event: Notification) {
        if event.has(IN_ISDIR) || event.has(IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE) {
            end(slot)
        } else if event.has(IN_CLOSE_WRITE) {
            tellWriting(slot)
            end(slot)
        } else if event.has(IN_CREATE) {
            pending.note(slot, at: now)
            created.insert(slot)
        } else if event.has(IN_MODIFY) {
            tellWriting(slot)
            pending.note(slot, at: now)
        } else if !pending.contains(slot) {
            tell(slot)
        }
    }

    private mutating func tellWriting(_ slot: Slot) {
        if writing.insert(slot).inserted { events.append(.writing(slot)) }
    }

    /// Nobody is writing to the file any more.
    mutating func end(_ slot: Slot) {
        pending.end(slot)
        created.remove(slot)
        tell(slot)
    }

    mutating func tellDue() {
        for slot in pending.takeDue(at: now) { tell(slot) }
    }

    mutating func tellOpened(_ items: [ItemID]) {
        for item in items { events.append(.opened(item)) }
    }

    private mutating func tell(_ slot: Slot) {
        if told.insert(slot).inserted { events.append(.changed(slot)) }
    }

    private mutating func takeDrop(of watch: Int32) {
        switch table.drop(watch) {
        case .folder(let folder)?: events.append(.folderGone(folder))
        case .marker(let marker)?: events.append(.passed(marker))
        case .reading?, .package?, .turn?, .reserve?, nil: break
        }
    }

    /// Events were lost: what the kernel no longer watches has fired, or is gone.
    ///
    /// Markers come last, so that they are passed after the loss has been told.
    mutating func takeLoss(live: Set<Int32>) {
        events.append(.overflow)
        let dead = table.subjects.filter { !live.contains($0.key) }
        for (watch, subject) in dead {
            if subject.isMark { continue }
            if case .reading(let items) = subject { tellOpened(items) }
            takeDrop(of: watch)
        }
        for (watch, subject) in dead where subject.isMark { takeDrop(of: watch) }
    }
}
