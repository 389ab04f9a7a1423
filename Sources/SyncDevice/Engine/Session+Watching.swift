import SyncCore

/// What the watcher saw becomes sightings of this moment.
extension Session {
    /// Takes the watcher's events; the markers that came out are returned.
    func watch() -> [Marker] {
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
        // What was lost may have been a write: what was opened is judged by what the lists show.
        if events.contains(.overflow) { relist() }
        var changed: [Slot] = []
        var markers = passedMarkers
        passedMarkers = []
        for event in events {
            switch event {
            case .changed(let slot): changed.append(slot)
            case .writing(let slot): feed(.written(slot))
            case .opened(let item): feed(.opened(item))
            case .passed(let marker): markers.append(marker)
            case .folderMoved, .folderGone, .overflow: break
            }
        }
        let sightings = Set(changed).sorted().compactMap { sighting(of: $0) }
        if !sightings.isEmpty { feed(.seen(sightings)) }
        return markers
    }

    /// Events were lost: every folder is looked at again.
    private func relist() {
        for folder in disk.watcher.watchedFolders.sorted() {
            guard let path = replica.path(of: folder) else { continue }
            list(folder, path)
        }
    }

    func list(_ folder: ItemID, _ path: LocalPath) {
        feed(disk.list(folder, at: path, being: replica.identity(of: folder)))
    }

    // MARK: Looking

    /// 25 ms, doubled up to 3 s while a folder stays away.
    private var lookAgainMilliseconds: Int64 { Int64(25) << Int64(min(failedLooks, 7)) }

    func look(_ slot: Slot) {
        guard let sighting = sighting(of: slot) else { return }
        // Who read the file before it became what the look shows is told first.
        passedMarkers += watch()
        feed(.seen([sighting]))
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
        if !sightings.isEmpty { feed(.seen(sightings)) }
    }
}
