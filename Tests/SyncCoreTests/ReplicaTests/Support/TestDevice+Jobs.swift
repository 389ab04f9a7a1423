import SyncCore

/// Installs: each is judged by what stood there.
extension TestDevice {
    func carryOut(_ job: InstallJob) -> JobOutcome {
        switch job.task {
        case .makeFolder(let path, let mode):
            return put(.folder, [], at: path, mode: mode, modified: nil)
        case .placeFile(let path, let source, let facts, let expected):
            return place(.file, source, facts, at: path, expected, job.item)
        case .placeLink(let path, let source, let facts, let expected):
            return place(.link, source, facts, at: path, expected, job.item)
        case .placePackage(let path, let source, let facts, let expected):
            return place(.package, source, facts, at: path, expected, job.item)
        case .setMode(let path, let mode, let expected):
            guard let inode = disk.inode(at: path.names), let stamp = disk.stamp(of: inode),
                stamp.identity == expected.identity, stamp.mode == expected.mode
            else { return .unexpected(entry(at: path)) }
            disk.setMode(mode, of: inode)
            return .done(disk.stamp(of: inode))
        case .remove(let path, let kind, let expected): return remove(path, kind, expected)
        case .move(let from, let to, let expected): return move(from.names, to.names, expected)
        case .park(let from, let expected): return park(job.item, from, expected)
        case .unpark(let to, let expected): return unpark(job.item, to, expected)
        }
    }

    private func entry(at path: LocalPath) -> DiskEntry? {
        disk.place(of: path.names).flatMap { disk.entry(at: $0) }
    }

    private func bytes(of source: ContentSource) -> [UInt8]? {
        switch source {
        case .inline(let bytes): bytes
        case .fetched(let version): fetched[version]
        }
    }

    private func place(
        _ kind: EntryKind, _ source: ContentSource, _ facts: VersionFacts, at path: LocalPath,
        _ expected: FileStamp?, _ item: ItemID
    ) -> JobOutcome {
        guard let bytes = bytes(of: source) else { return .contentMissing }
        if let expected {
            if let surprise = objection(to: expected, at: path) { return surprise }
            guard let place = disk.place(of: path.names) else { return .unexpected(nil) }
            // The exchange is one step; what came out is known and goes.
            let notices = disk.notices
            disk.remove(place)
            disk.notices = notices
        }
        return put(kind, bytes, at: path, mode: facts.mode, modified: facts.modified)
    }

    private func objection(to expected: FileStamp, at path: LocalPath) -> JobOutcome? {
        guard let inode = disk.inode(at: path.names), let stamp = disk.stamp(of: inode) else {
            return .unexpected(nil)
        }
        if busy.contains(inode) { return .busy }
        return stamp.isUntouched(since: expected) ? nil : .unexpected(entry(at: path))
    }

    private func put(
        _ kind: EntryKind, _ bytes: [UInt8], at path: LocalPath, mode: UInt16,
        modified: FileTime?
    ) -> JobOutcome {
        guard let place = disk.place(of: path.names) else { return .failed(.missing) }
        if let entry = disk.entry(at: place) { return .unexpected(entry) }
        disk.create(kind, at: place, bytes, mode: mode)
        guard let inode = disk.inode(at: place) else { return .failed(.other) }
        if let modified { disk.setModified(modified, of: inode) }
        return .done(disk.stamp(of: inode))
    }

    private func remove(
        _ path: LocalPath, _ kind: EntryKind, _ expected: FileStamp
    ) -> JobOutcome {
        guard let place = disk.place(of: path.names), let entry = disk.entry(at: place) else {
            return .unexpected(nil)
        }
        guard kind == .folder else {
            if let surprise = objection(to: expected, at: path) { return surprise }
            disk.remove(place)
            return .done(nil)
        }
        guard entry.kind == .folder, entry.stamp.identity == expected.identity,
            let names = disk.inode(at: place).flatMap({ disk.files[$0]?.entries.keys }),
            names.allSatisfy(IgnoredNames.contains)
        else { return .unexpected(entry) }
        disk.remove(place)
        return .done(nil)
    }

    private func move(
        _ from: [Name], _ to: [Name], _ expected: FileStamp
    ) -> JobOutcome {
        guard let source = disk.place(of: from), let entry = disk.entry(at: source) else {
            return .unexpected(nil)
        }
        if let inode = disk.inode(at: source), busy.contains(inode) { return .busy }
        guard let target = disk.place(of: to) else { return .failed(.missing) }
        return move(source, entry, target, expected)
    }

    private func move(
        _ source: TestDisk.Place, _ entry: DiskEntry, _ target: TestDisk.Place,
        _ expected: FileStamp
    ) -> JobOutcome {
        let isKnown =
            entry.kind == .folder
            ? entry.stamp.identity == expected.identity
            : entry.stamp.isUntouched(since: expected)
        guard isKnown, disk.inode(at: target) == nil else { return .unexpected(entry) }
        // The kernel refuses to put a folder into itself.
        guard !disk.isWithin(target.folder, source) else { return .failed(.other) }
        disk.move(source, to: target)
        return .done(disk.entry(at: target)?.stamp)
    }

    private func parking(_ item: ItemID) -> TestDisk.Place {
        .init(folder: disk.staging, name: TestDevice.name("park-\(item.text)"))
    }

    private func park(
        _ item: ItemID, _ from: LocalPath, _ expected: FileStamp
    ) -> JobOutcome {
        guard let source = disk.place(of: from.names), let entry = disk.entry(at: source) else {
            return .unexpected(nil)
        }
        return move(source, entry, parking(item), expected)
    }

    private func unpark(_ item: ItemID, _ to: LocalPath, _ expected: FileStamp) -> JobOutcome {
        guard let entry = disk.entry(at: parking(item)) else { return .unexpected(nil) }
        guard let target = disk.place(of: to.names) else { return .failed(.missing) }
        return move(parking(item), entry, target, expected)
    }
}
