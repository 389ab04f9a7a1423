import SyncCore
import SyncStore

/// What a start does with files that a crash left in the staging folder.
extension Simulation {
    mutating func recoverStaging(of index: Int) {
        devices[index].putBack = []
        let staging = devices[index].disk.staging
        let entries = devices[index].disk[staging].entries.list
        for (name, inode) in entries {
            let place = DiskPlace(folder: staging, name: name)
            guard let note = devices[index].journal[name] else {
                drop(place, on: index)
                continue
            }
            if let item = note.parked {
                recoverParked(item, place, note, on: index)
                continue
            }
            devices[index].journal[name] = nil
            recover(inode, place, note, on: index)
        }
        devices[index].journal = devices[index].journal.filter { name, _ in
            devices[index].disk[staging].entries[name] != nil
        }
        devices[index].disk.flushNames()
        checkDestroyed(on: index)
    }

    /// Our own file goes, and so does the version that it replaced; a person's returns.
    private mutating func recover(
        _ inode: InodeNumber, _ place: DiskPlace, _ note: StagingNote, on index: Int
    ) {
        let stamp = devices[index].disk.stamp(of: inode)
        if stamp.identity == note.staged?.identity { return drop(place, on: index) }
        let isKnown = note.expected.map { stamp.isUntouched(since: $0) } ?? false
        if isKnown, devices[index].disk[inode].writers == 0, note.staged != nil {
            return drop(place, on: index)
        }
        if story.isTold { tell(index, "puts back what an interrupted install had taken out") }
        counts[.swapUndone] += 1
        putBack(place, note, note.staged, on: index)
    }

    /// The replica knows of a parked file, or it is put back where it was.
    private mutating func recoverParked(
        _ item: ItemID, _ place: DiskPlace, _ note: StagingNote, on index: Int
    ) {
        guard devices[index].store.committed.replica.nodes[item]?.base?.isParked != true else {
            return
        }
        devices[index].journal[place.name] = nil
        putBack(place, note, nil, on: index)
    }

    private mutating func drop(_ place: DiskPlace, on index: Int) {
        if devices[index].disk.entry(at: place)?.kind == .folder {
            try? devices[index].disk.removeFolder(place)
        } else {
            try? devices[index].disk.unlink(place, by: .device)
        }
    }
}
