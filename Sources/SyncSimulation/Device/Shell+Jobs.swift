import SyncCore
import SyncStore

/// Installing: prepare beside the tree, swap, judge what came out, swap back if it is not known.
///
/// A crash can come between any two steps; ``recoverStaging(of:)`` ends what it left.
extension Simulation {
    mutating func startJob(_ job: InstallJob, on index: Int) {
        var running = RunningJob(job: job, step: .swap)
        if case .placeFile(let path, .inline, _, _?) = job.task, let name = path.names.last {
            running.isEviction = Placeholder.original(of: name) != nil
        }
        // Our own work on the file is not a reader's.
        if job.task.endsFile {
            running.wasUnread = devices[index].disk.forgetReaders(of: job.item)
        }
        devices[index].jobs[job.id] = running
        switch job.task {
        case .placeFile(_, let source, _, _), .placeLink(_, let source, _, _),
            .placePackage(_, let source, _, _):
            guard let bytes = content(source, on: index) else {
                return end(job.id, .contentMissing, on: index)
            }
            continueLater(job.id, .stage(bytes), on: index)
        case .makeFolder: continueLater(job.id, .stage([]), on: index)
        default: continueLater(job.id, .swap, on: index)
        }
    }

    private func content(_ source: ContentSource, on index: Int) -> [UInt8]? {
        switch source {
        case .inline(let bytes): bytes
        case .fetched(let version): devices[index].fetched[version]
        }
    }

    private mutating func continueLater(_ id: JobID, _ step: RunningJob.Step, on index: Int) {
        devices[index].jobs[id]?.step = step
        let time = now + diskTime() / 4
        agenda.add(.job(device: index, life: devices[index].life, id), at: time)
    }

    private mutating func end(_ id: JobID, _ outcome: JobOutcome, on index: Int) {
        guard let job = devices[index].jobs.removeValue(forKey: id) else { return }
        if let staged = job.staged { dropStaged(staged, on: index) }
        watchAgain(job, outcome, on: index)
        noticeLater(index)
        reportEnd(of: id, outcome, to: index)
    }

    /// What was not replaced goes on being watched for readers.
    private mutating func watchAgain(
        _ running: RunningJob, _ outcome: JobOutcome, on index: Int
    ) {
        if case .done = outcome { return }
        guard running.wasUnread, let path = devices[index].replica?.path(of: running.job.item),
            let inode = devices[index].disk.inode(at: path.names)
        else { return }
        devices[index].disk.watchReaders(of: inode, for: running.job.item)
    }

    /// Removes our own file from the staging folder, if it is still there and still ours.
    private mutating func dropStaged(_ staged: StagedFile, on index: Int) {
        devices[index].journal[staged.name] = nil
        let place = DiskPlace(folder: devices[index].disk.staging, name: staged.name)
        guard devices[index].disk.inode(at: place) != nil else { return }
        if devices[index].disk.entry(at: place)?.kind == .folder {
            try? devices[index].disk.removeFolder(place)
        } else {
            try? devices[index].disk.unlink(place, by: .device)
        }
    }

    mutating func continueJob(_ id: JobID, on index: Int) {
        guard let job = devices[index].jobs[id] else { return }
        switch job.step {
        case .stage(let bytes): stage(bytes, job, on: index)
        case .swap: swap(job, on: index)
        case .exchange: exchangeNow(job, on: index)
        case .takeOut: takeOutNow(job, on: index)
        case .judge: judge(job, on: index)
        case .finish(let stamp): finish(job, stamp, on: index)
        }
        checkDestroyed(on: index)
        noticeLater(index)
    }

    // MARK: - Preparing

    private mutating func stage(_ bytes: [UInt8], _ running: RunningJob, on index: Int) {
        let job = running.job
        let name = Home.name("job-\(devices[index].life)-\(job.id)")
        let place = DiskPlace(folder: devices[index].disk.staging, name: name)
        let (kind, mode, modified) = shape(of: job.task)
        do {
            let inode = try devices[index].disk.create(kind, at: place, mode: mode, bytes: bytes)
            if let modified { devices[index].disk.setModified(modified, of: inode) }
            devices[index].disk.flush(inode)
            let stamp = devices[index].disk.stamp(of: inode)
            if kind == .file || kind == .package {
                devices[index].disk.watchReaders(of: inode, for: job.item)
            }
            devices[index].jobs[job.id]?.staged = StagedFile(
                name: name, inode: inode, stamp: stamp)
            continueLater(job.id, .swap, on: index)
        } catch .noSpace {
            end(job.id, .failed(.noSpace), on: index)
        } catch {
            end(job.id, .failed(.other), on: index)
        }
    }

    private func shape(of task: InstallJob.Task) -> (EntryKind, UInt16, FileTime?) {
        switch task {
        case .placeFile(_, _, let facts, _): (.file, facts.mode, facts.modified)
        case .placeLink(_, _, let facts, _): (.link, 0o777, facts.modified)
        case .placePackage(_, _, let facts, _): (.package, facts.mode, facts.modified)
        case .makeFolder(_, let mode): (.folder, mode, nil)
        default: (.file, 0o600, nil)
        }
    }

    // MARK: - Swapping

    private mutating func swap(_ running: RunningJob, on index: Int) {
        switch running.job.task {
        case .makeFolder(let path, _): putNew(running, at: path, on: index)
        case .placeFile(let path, _, _, let expected), .placeLink(let path, _, _, let expected),
            .placePackage(let path, _, _, let expected):
            if let expected {
                exchange(running, at: path, expected, on: index)
            } else {
                putNew(running, at: path, on: index)
            }
        case .setMode(let path, let mode, let expected):
            setMode(mode, running.job.id, at: path, expected, on: index)
        case .remove(let path, let kind, let expected):
            if kind == .folder {
                removeFolder(running.job.id, at: path, expected, on: index)
            } else {
                takeOut(running, from: path, expected, on: index)
            }
        case .move(let source, let target, let expected):
            move(running.job.id, from: source, to: target, expected, on: index)
        case .park(let path, let expected): park(running, from: path, expected, on: index)
        case .unpark(let path, let expected): unpark(running, to: path, expected, on: index)
        }
    }

    private mutating func putNew(
        _ running: RunningJob, at path: LocalPath, on index: Int
    ) {
        guard let staged = running.staged else { return }
        guard let target = devices[index].disk.place(of: path.names) else {
            return end(running.job.id, .failed(.missing), on: index)
        }
        let source = DiskPlace(folder: devices[index].disk.staging, name: staged.name)
        do {
            try devices[index].disk.rename(source, to: target, replacing: false, by: .device)
            continueLater(running.job.id, .finish(staged.stamp), on: index)
        } catch .exists {
            let entry = devices[index].disk.entry(at: target)
            end(running.job.id, .unexpected(entry), on: index)
        } catch {
            end(running.job.id, .failed(.missing), on: index)
        }
    }

    private mutating func exchange(
        _ running: RunningJob, at path: LocalPath, _ expected: FileStamp, on index: Int
    ) {
        guard expectedPlace(path, expected, running.job.id, on: index) != nil else { return }
        continueLater(running.job.id, .exchange, on: index)
        saveAtInstall(of: path, on: index)
    }

    private mutating func exchangeNow(_ running: RunningJob, on index: Int) {
        let id = running.job.id
        guard let staged = running.staged, let (path, expected) = running.job.task.replaced else {
            return end(id, .failed(.other), on: index)
        }
        guard let target = devices[index].disk.place(of: path.names) else {
            return end(id, .unexpected(nil), on: index)
        }
        let source = DiskPlace(folder: devices[index].disk.staging, name: staged.name)
        if mutant == .checkThenRename || mutant == .evictedUnseen && running.isEviction {
            try? devices[index].disk.rename(source, to: target, replacing: true, by: .device)
            return continueLater(id, .finish(staged.stamp), on: index)
        }
        devices[index].journal[staged.name] = StagingNote(
            path: path, staged: staged.stamp, expected: expected, parked: nil)
        do {
            try devices[index].disk.exchange(source, target)
            continueLater(id, .judge, on: index)
        } catch {
            end(id, .unexpected(nil), on: index)
        }
    }

    /// The place, if what stands there is what the job expects and nobody writes into it; else the
    /// job ends.
    private mutating func expectedPlace(
        _ path: LocalPath, _ expected: FileStamp, _ id: JobID, on index: Int
    ) -> DiskPlace? {
        guard let place = devices[index].disk.place(of: path.names),
            let inode = devices[index].disk.inode(at: place)
        else {
            end(id, .unexpected(nil), on: index)
            return nil
        }
        guard devices[index].disk[inode].writers == 0 else {
            end(id, .busy, on: index)
            return nil
        }
        guard devices[index].disk.stamp(of: inode).isUntouched(since: expected) else {
            end(id, .unexpected(devices[index].disk.entry(of: inode)), on: index)
            return nil
        }
        return place
    }

    // MARK: - Judging

    private mutating func judge(_ running: RunningJob, on index: Int) {
        guard let staged = running.staged else { return }
        let place = DiskPlace(folder: devices[index].disk.staging, name: staged.name)
        guard let note = devices[index].journal[staged.name], let expected = note.expected,
            let out = devices[index].disk.inode(at: place)
        else { return end(running.job.id, .failed(.other), on: index) }
        let isKnown = devices[index].disk.stamp(of: out).isUntouched(since: expected)
        if isKnown, devices[index].disk[out].writers == 0 {
            let stamp: FileStamp? = note.staged == nil ? nil : staged.stamp
            return continueLater(running.job.id, .finish(stamp), on: index)
        }
        counts[.swapUndone] += 1
        let isBusy = devices[index].disk[out].writers > 0
        putBack(place, note, staged.stamp, on: index)
        let now = devices[index].disk.place(of: note.path.names).flatMap {
            devices[index].disk.entry(at: $0)
        }
        end(running.job.id, isBusy ? .busy : .unexpected(now), on: index)
    }

    /// Returns what came out to where it was; what a person put there meanwhile stays.
    mutating func putBack(
        _ place: DiskPlace, _ note: StagingNote, _ ours: FileStamp?, on index: Int
    ) {
        guard let target = devices[index].disk.place(of: note.path.names) else {
            return rescue(place, on: index)
        }
        let standing = devices[index].disk.inode(at: target)
        if standing == nil {
            devices[index].putBack.append(note.path)
            try? devices[index].disk.rename(place, to: target, replacing: false, by: .device)
        } else if let standing, let ours,
            devices[index].disk.stamp(of: standing).isUntouched(since: ours),
            devices[index].disk[standing].writers == 0
        {
            try? devices[index].disk.exchange(place, target)
        } else {
            rescue(place, beside: target, on: index)
        }
    }

    /// Brings a person's file back under a free name beside its own.
    private mutating func rescue(_ place: DiskPlace, beside target: DiskPlace, on index: Int) {
        let entries = devices[index].disk[target.folder].entries
        let name = FreeName.beside(target.name) { entries[$0] != nil }
        let free = DiskPlace(folder: target.folder, name: name)
        devices[index].putBack.append(
            LocalPath(names: [Home.container, Home.documents, name]))
        try? devices[index].disk.rename(place, to: free, replacing: false, by: .device)
    }

    /// The folder is gone too: into the container.
    private mutating func rescue(_ place: DiskPlace, on index: Int) {
        let path = [Home.container, Home.documents, Home.name("Recovered")]
        if let target = devices[index].disk.place(of: path) {
            rescue(place, beside: target, on: index)
        }
    }

    private mutating func finish(_ running: RunningJob, _ stamp: FileStamp?, on index: Int) {
        if let staged = running.staged { dropStaged(staged, on: index) }
        devices[index].jobs[running.job.id]?.staged = nil
        devices[index].disk.flushNames()
        noteInstalledAtFirst(running, on: index)
        end(running.job.id, .done(stamp.map { devices[index].disk.aged($0) }), on: index)
    }

    /// What a device gets with its first pull counts as read, and so does a package: who has read
    /// it is not known.
    private mutating func noteInstalledAtFirst(_ running: RunningJob, on index: Int) {
        let isPackage = running.staged.map { devices[index].disk.isThere($0.inode, .package) }
        guard
            isPackage == true
                || devices[index].store.committed.replica.progress?.hasPulled != true,
            let path = running.job.task.paths.first,
            let inode = devices[index].disk.inode(at: path.names)
        else { return }
        ledger.note(readingOf: devices[index].disk[inode].bytes, on: index, now)
    }

    // MARK: - Without content

    private mutating func takeOut(
        _ running: RunningJob, from path: LocalPath, _ expected: FileStamp, on index: Int
    ) {
        guard expectedPlace(path, expected, running.job.id, on: index) != nil else { return }
        continueLater(running.job.id, .takeOut, on: index)
        saveAtInstall(of: path, on: index)
    }

    private mutating func takeOutNow(_ running: RunningJob, on index: Int) {
        let id = running.job.id
        guard let (path, expected) = running.job.task.replaced else { return }
        let name = Home.name("out-\(devices[index].life)-\(id)")
        let target = DiskPlace(folder: devices[index].disk.staging, name: name)
        guard let place = devices[index].disk.place(of: path.names),
            let inode = devices[index].disk.inode(at: place)
        else { return end(id, .unexpected(nil), on: index) }
        devices[index].journal[name] = StagingNote(
            path: path, staged: nil, expected: expected, parked: nil)
        try? devices[index].disk.rename(place, to: target, replacing: false, by: .device)
        devices[index].jobs[id]?.staged = StagedFile(name: name, inode: inode, stamp: expected)
        continueLater(id, .judge, on: index)
    }

    private mutating func setMode(
        _ mode: UInt16, _ id: JobID, at path: LocalPath, _ expected: FileStamp, on index: Int
    ) {
        guard let place = devices[index].disk.place(of: path.names),
            let inode = devices[index].disk.inode(at: place)
        else { return end(id, .unexpected(nil), on: index) }
        guard devices[index].disk[inode].birth == expected.identity.birth else {
            return end(id, .unexpected(devices[index].disk.entry(of: inode)), on: index)
        }
        devices[index].disk.setMode(mode, of: inode)
        devices[index].disk.flushNames()
        end(id, .done(devices[index].disk.stamp(of: inode)), on: index)
    }

    private mutating func removeFolder(
        _ id: JobID, at path: LocalPath, _ expected: FileStamp, on index: Int
    ) {
        guard let place = devices[index].disk.place(of: path.names),
            let inode = devices[index].disk.inode(at: place)
        else { return end(id, .unexpected(nil), on: index) }
        let entry = devices[index].disk.entry(of: inode)
        guard entry.kind == .folder, entry.stamp.identity == expected.identity else {
            return end(id, .unexpected(entry), on: index)
        }
        for (name, _) in devices[index].disk[inode].entries.list
        where IgnoredNames.contains(name) {
            // The real program sets them aside.
            try? devices[index].disk.unlink(DiskPlace(folder: inode, name: name), by: .person)
        }
        do {
            try devices[index].disk.removeFolder(place)
            devices[index].disk.flushNames()
            end(id, .done(nil), on: index)
        } catch {
            end(id, .unexpected(entry), on: index)
        }
    }

    private mutating func move(
        _ id: JobID, from source: LocalPath, to target: LocalPath, _ expected: FileStamp,
        on index: Int
    ) {
        guard let from = devices[index].disk.place(of: source.names),
            let inode = devices[index].disk.inode(at: from)
        else { return end(id, .unexpected(nil), on: index) }
        let entry = devices[index].disk.entry(of: inode)
        guard entry.isMovable(as: expected) else {
            return end(id, .unexpected(entry), on: index)
        }
        guard let to = devices[index].disk.place(of: target.names) else {
            return end(id, .failed(.missing), on: index)
        }
        do {
            try devices[index].disk.rename(from, to: to, replacing: false, by: .device)
            devices[index].disk.flushNames()
            end(id, .done(devices[index].disk.stamp(of: inode)), on: index)
        } catch {
            end(id, .unexpected(entry), on: index)
        }
    }

    private mutating func park(
        _ running: RunningJob, from path: LocalPath, _ expected: FileStamp, on index: Int
    ) {
        let id = running.job.id
        guard let from = devices[index].disk.place(of: path.names),
            let inode = devices[index].disk.inode(at: from)
        else { return end(id, .unexpected(nil), on: index) }
        let entry = devices[index].disk.entry(of: inode)
        guard entry.isMovable(as: expected) else {
            return end(id, .unexpected(entry), on: index)
        }
        let name = parkingName(running.job.item)
        let target = DiskPlace(folder: devices[index].disk.staging, name: name)
        devices[index].journal[name] = StagingNote(
            path: path, staged: nil, expected: nil, parked: running.job.item)
        do {
            try devices[index].disk.rename(from, to: target, replacing: false, by: .device)
            devices[index].disk.flushNames()
            end(id, .done(devices[index].disk.stamp(of: inode)), on: index)
        } catch {
            end(id, .failed(.other), on: index)
        }
    }

    private mutating func unpark(
        _ running: RunningJob, to path: LocalPath, _ expected: FileStamp, on index: Int
    ) {
        let id = running.job.id
        let from = DiskPlace(
            folder: devices[index].disk.staging, name: parkingName(running.job.item))
        guard let inode = devices[index].disk.inode(at: from) else {
            return end(id, .unexpected(nil), on: index)
        }
        guard let target = devices[index].disk.place(of: path.names) else {
            return end(id, .failed(.missing), on: index)
        }
        let entry = devices[index].disk.entry(of: inode)
        do {
            try devices[index].disk.rename(from, to: target, replacing: false, by: .device)
            devices[index].journal[from.name] = nil
            devices[index].disk.flushNames()
            end(id, .done(devices[index].disk.stamp(of: inode)), on: index)
        } catch {
            end(id, .unexpected(entry), on: index)
        }
    }

    private func parkingName(_ item: ItemID) -> Name { Home.name("park-\(item.text)") }
}

extension InstallJob.Task {
    /// What it takes from the disk, and as what.
    fileprivate var replaced: (path: LocalPath, expected: FileStamp)? {
        switch self {
        case .placeFile(let path, _, _, let expected?), .placeLink(let path, _, _, let expected?),
            .placePackage(let path, _, _, let expected?), .remove(let path, _, let expected):
            (path, expected)
        default: nil
        }
    }
}

extension DiskEntry {
    /// A folder moves with whatever is in it; a file only as it is known.
    fileprivate func isMovable(as expected: FileStamp) -> Bool {
        guard stamp.identity == expected.identity else { return false }
        return kind == .folder || stamp.isUntouched(since: expected)
    }
}
