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
        var sightings: [Sighting] = []
        var seen: Set<Slot> = []
        var markers: [Marker] = []
        for event in events {
            switch event {
            case .changed(let slot):
                guard seen.insert(slot).inserted, let sighting = sighting(of: slot) else {
                    continue
                }
                sightings.append(sighting)
            case .folderMoved, .folderGone: break
            case .opened(let item):
                // What was written before it was read is told before.
                if !sightings.isEmpty { feed(.seen(sightings)) }
                sightings.removeAll()
                seen.removeAll()
                feed(.opened(item))
            case .overflow: relist()
            case .passed(let marker): markers.append(marker)
            }
        }
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
        if let sighting = sighting(of: slot) { feed(.seen([sighting])) }
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
