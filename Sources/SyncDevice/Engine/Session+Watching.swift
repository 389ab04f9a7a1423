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
                guard seen.insert(slot).inserted, let path = self.replica.path(of: slot),
                    let sighting = disk.look(slot, at: path)
                else { continue }
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
            feed(disk.list(folder, at: path))
        }
    }
}
