import SyncCore
import SyncStore

/// What is where it was when the machine's disk is not mounted.
struct DocumentsAway {
    let entries: FolderEntries
    /// What the program knows to be there, and what was not told to be deleted.
    let items: Set<ItemID>
}

/// Disks that are not mounted, devices that are away, and days that pass.
extension Simulation {
    /// The machine starts again, and the folder that the documents' disk is mounted on is empty.
    mutating func emptyRoot(of index: Int, _ choice: inout RandomSource) {
        // A program that is killed while it saves is another fault.
        guard devices[index].replica != nil, devices[index].away == nil,
            devices[index].programs.isEmpty,
            let documents = devices[index].disk.inode(at: [Home.container, Home.documents]),
            !devices[index].disk[documents].entries.isEmpty
        else { return }
        counts[.rootEmptied] += 1
        devices[index].boot += 1
        devices[index].closeDocuments()
        crashProgram(index, restartAfter: choice.within(1_000_000_000...5_000_000_000))
        let nodes = devices[index].store.committed.replica.nodes
        devices[index].away = DocumentsAway(
            entries: devices[index].disk[documents].entries,
            items: Set(nodes.filter { $0.value.base != nil }.keys))
        devices[index].disk[documents].entries = FolderEntries()
        devices[index].disk.flushNames()
        agenda.add(
            .mounted(device: index), at: now + choice.within(15_000_000_000...90_000_000_000))
    }

    /// Nothing tells the program of it.
    mutating func mount(_ index: Int) {
        guard let away = devices[index].away,
            let documents = devices[index].disk.inode(at: [Home.container, Home.documents])
        else { return }
        devices[index].away = nil
        for (name, inode) in away.entries.list {
            if devices[index].disk[documents].entries[name] == nil {
                devices[index].disk[documents].entries.set(name, inode)
            } else {
                cover(DiskPlace(folder: documents, name: name), with: inode, on: index)
            }
        }
        devices[index].disk.flushNames()
        if devices[index].replica?.isARootMissing == false {
            // Nothing had been there that the program knew of.
            devices[index].disk.notices.append(.overflow)
            noticeLater(index)
        }
        lastChange = now
    }

    /// What a person saved meanwhile stays; what was only installed is covered.
    ///
    /// A folder that was made meanwhile, as an install does, gets what the one of its name held.
    private mutating func cover(_ place: DiskPlace, with inode: InodeNumber, on index: Int) {
        guard let other = devices[index].disk.inode(at: place) else { return }
        let kind = devices[index].disk[inode].kind
        devices[index].disk[inode].places.removeAll { $0 == place }
        if kind == .folder, devices[index].disk[other].kind == .folder {
            for (name, member) in devices[index].disk[inode].entries.list {
                let from = DiskPlace(folder: inode, name: name)
                let to = DiskPlace(folder: other, name: name)
                if devices[index].disk.inode(at: to) == nil {
                    try? devices[index].disk.rename(from, to: to, replacing: false, by: .device)
                } else {
                    devices[index].disk[member].places.removeAll { $0 == from }
                    cover(to, with: member, on: index)
                }
            }
        } else if kind != .folder, devices[index].disk[other].kind == kind,
            devices[index].disk[other].save == nil
        {
            try? devices[index].disk.unlink(place, by: .device)
            devices[index].disk[place.folder].entries.set(place.name, inode)
            devices[index].disk[inode].places.append(place)
        } else {
            noteCovered(inode, on: index)
        }
    }

    /// The person's own act took its place.
    private mutating func noteCovered(_ inode: InodeNumber, on index: Int) {
        for (_, member) in devices[index].disk[inode].entries.list {
            noteCovered(member, on: index)
        }
        guard let save = devices[index].disk[inode].save else { return }
        ledger.excuse(save, .replacedByPerson)
        ledger.note(deletionOf: devices[index].disk[inode].bytes)
    }

    /// A device is offline while days pass, or more than a year.
    mutating func sendAway(_ index: Int, _ choice: inout RandomSource) {
        setLink(of: index, isUp: false)
        let days: Int
        switch choice.below(10) {
        case 0..<3: days = 1 + choice.below(4)
        case 3..<7: days = 31 + choice.below(20)
        default: days = 366 + choice.below(40)
        }
        let time = now + choice.within(100_000_000...40_000_000_000)
        agenda.add(.daysPass(days), at: time)
        agenda.add(.linkUp(device: index), at: time + choice.within(10_000_000...5_000_000_000))
    }

    // MARK: - Days

    /// What a device has, durably.
    func installedNumber(of index: Int) -> UInt64 {
        devices[index].store.committed.replica.progress?.installed ?? 0
    }

    /// Whether the server has the position that a device has durably.
    func isOfThisHistory(_ index: Int) -> Bool {
        devices[index].store.committed.replica.progress.map {
            server.holds($0.cursor, of: index)
        } ?? true
    }

    mutating func hear(from index: Int, installed: UInt64?) {
        server.hear(from: index, installed: installed)
        witness.hear(from: index)
    }

    private var serverMoment: Moment {
        let idle = server.idle
        return Moment(
            steady: Instant(nanoseconds: now + idle * 1_000_000),
            wall: WallTime(milliseconds: serverClock.milliseconds + idle))
    }

    /// The server counts its running time.
    mutating func readServerDays() { server.clock.read(serverMoment, mutant) }

    /// Nothing happens for days, but that the devices that are there say so.
    mutating func passDays(_ count: Int) {
        guard server.isRunning else { return }
        guard !server.isWorking else {
            return agenda.add(.daysPass(count), at: now + 5_000_000)
        }
        readServerDays()
        for _ in 0..<count {
            for index in devices.indices
            where devices[index].isConnected && devices[index].isLinkUp {
                let number = isOfThisHistory(index) ? installedNumber(of: index) : nil
                hear(from: index, installed: number)
            }
            for _ in 0..<24 {
                server.idle += 3_600_000
                readServerDays()
            }
            witness.passDay(at: server.durable.position().number)
            collectIfDue()
        }
        story.tell(now, "fault", "\(count) days pass")
    }

    /// The collections that are due by the server's own count; a year's at most.
    mutating func collectIfDue() {
        var left = 400
        while let due = server.clock.due, left > 0 {
            left -= 1
            collect(due)
            server.clock.made()
        }
    }

    private mutating func collect(_ collection: UInt64) {
        counts[.collection] += 1
        counts[.removedChunk] += server.removeMarkedChunks()
        server.commit(
            collected: server.authority.beginCollection(collection, reading: server.durable))
        var last: Replaced<VersionID>?
        var isOver = false
        while !isOver {
            let step = server.authority.collect(
                collection, Retention(), after: last, limit: 100, reading: server.durable)
            checkCollection(step.changes)
            server.commit(collected: step.changes)
            last = step.next
            isOver = step.isOver
        }
    }
}
