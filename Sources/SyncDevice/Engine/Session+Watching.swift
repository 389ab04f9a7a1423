import SyncCore

/// What the watcher saw becomes sightings of this moment.
extension Session {
    /// Takes the watcher's events; the markers that came out are returned.
    func watch() -> [Marker] {
        report(found: [])
        // What is still to be reported came before them.
        guard found.isEmpty else { return [] }
        defer { passedMarkers = [] }
        return passedMarkers
    }

    /// Reports what the disk has shown, after all that the watcher had to tell until then.
    ///
    /// So who read a file is known before what became of it since, however late the watcher's
    /// queue is read. What the names in the queue show is found by looks, too, and waits in turn.
    func report(found events: [ReplicaEvent]) {
        noteChanges(events)
        found += events
        for _ in 0..<Session.drainsAtOnce {
            let looks = takeWatched()
            for package in disk.takeStirred() { feed(.stirred(package)) }
            for event in found { feed(event) }
            noteChanges(looks)
            found = looks
            if found.isEmpty { return }
        }
    }

    /// Bounds a call while programs write without end.
    private static var drainsAtOnce: Int { 16 }

    /// Tells what the watcher saw; what stands now at the names that changed is returned.
    private func takeWatched() -> [ReplicaEvent] {
        let replica = replica
        let events: [WatchEvent]
        do throws(DiskError) {
            events = try disk.watcher.read(
                at: Clock.now().steady, locate: { replica.path(of: $0) })
        } catch {
            // Nothing was lost that a new list does not show.
            relist()
            return []
        }
        var changed: Set<Slot> = []
        for event in events {
            switch event {
            case .changed(let slot): changed.insert(slot)
            case .writing(let slot): feed(.written(look(at: slot)))
            case .opened(let item):
                feed(.opened(item))
                // Nobody waits for the package's readers any more.
                if replica.isPackage(item), let slot = replica.slot(of: item) { _ = look(at: slot) }
            case .stirred(let package):
                if replica.hasPackage(package) {
                    feed(.stirred(package))
                } else {
                    disk.watcher.unwatch(package: package)
                }
            case .passed(let marker): passedMarkers.append(marker)
            // What was lost may have been a write: what was opened is judged by what is there now.
            case .overflow: relist()
            case .folderMoved, .folderGone: break
            }
        }
        let sightings = changed.sorted().compactMap { sighting(of: $0) }
        return sightings.isEmpty ? [] : [.seen(sightings)]
    }

    /// Names that are not as they were known are made durable before anybody is told.
    private func noteChanges(_ events: [ReplicaEvent]) {
        for event in events {
            switch event {
            case .seen(let sightings): sightings.forEach(noteChange)
            case .listed(_, let entries): entries.forEach(noteChange)
            default: break
            }
        }
    }

    private func noteChange(_ sighting: Sighting) {
        let slot = sighting.slot
        let known = replica.item(at: slot).flatMap { replica.shown(of: $0)?.stamp.identity }
        guard known != sighting.entry?.stamp.identity, let path = replica.path(of: slot.folder)
        else { return }
        disk.noteChange(in: path)
    }

    /// What stands at a name now; nothing if that cannot be said.
    private func look(at slot: Slot) -> Sighting {
        let entry = replica.path(of: slot).flatMap {
            disk.look(slot, at: $0, in: replica.identity(of: slot.folder))?.entry
        }
        return Sighting(slot: slot, entry: entry)
    }

    /// Events were lost: every folder is looked at again.
    private func relist() {
        for event in found { feed(event) }
        found = []
        for folder in disk.watcher.watchedFolders.sorted() {
            guard let path = replica.path(of: folder) else { continue }
            feed(disk.list(folder, at: path, being: replica.identity(of: folder)))
        }
    }

    func list(_ folder: ItemID, _ path: LocalPath) {
        report(found: [disk.list(folder, at: path, being: replica.identity(of: folder))])
    }

    // MARK: Looking

    /// 25 ms, doubled up to 3 s while a folder stays away.
    private var lookAgainMilliseconds: Int64 { Int64(25) << Int64(min(failedLooks, 7)) }

    func look(_ slot: Slot) {
        guard let sighting = sighting(of: slot) else { return }
        report(found: [.seen([sighting])])
    }

    /// What stands at a name; nil, and asked again later, while its folder is being renamed.
    private func sighting(of slot: Slot) -> Sighting? {
        postponedLooks.remove(slot)
        // A folder that is gone for good has no path: then its own name tells.
        guard let path = replica.path(of: slot) else { return nil }
        let folder = replica.identity(of: slot.folder)
        if let sighting = disk.look(slot, at: path, in: folder) { return sighting }
        postponedLooks.insert(slot)
        let due = Clock.now().steady.advanced(milliseconds: lookAgainMilliseconds)
        lookAgainAt = lookAgainAt ?? due
        return nil
    }

    func lookAgain(at now: Instant) {
        guard let due = lookAgainAt, due <= now else { return }
        lookAgainAt = nil
        failedLooks += 1
        let sightings = postponedLooks.sorted().compactMap { sighting(of: $0) }
        if postponedLooks.isEmpty { failedLooks = 0 }
        if !sightings.isEmpty { report(found: [.seen(sightings)]) }
    }
}
