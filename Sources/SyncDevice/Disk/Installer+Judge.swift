import Glibc
import SyncCore

/// How what is found is told from what is known.
extension Installer {
    enum Verdict {
        /// What the planner knows, and nobody is writing to it.
        case known
        /// Known, and open for writing.
        case busy
        case unknown
    }

    /// Judges what came out of the tree.
    ///
    /// Writers are asked for first: once there is none, and no name to open it by, its stamp is
    /// final. Where the kernel does not tell (the file is another user's), only its stamp counts.
    func verdict(
        on spot: Spot, expected: FileStamp, _ job: InstallJob
    ) throws(DiskError) -> Verdict {
        let isBusy = try hasWriter(spot, job)
        let found = try FileSystemCalls.look(spot, isPackage: job.task.isOfPackage)
        guard found.kind != .folder, found.isKnown(as: expected) else { return .unknown }
        return isBusy ? .busy : .known
    }

    func hasWriter(_ spot: Spot, _ job: InstallJob) throws(DiskError) -> Bool {
        guard job.task.isOfPackage,
            try FileSystemCalls.lookIfThere(spot)?.kind == .folder
        else { return try hasWriter(spot) }
        return try hasWriter(inPackage: spot)
    }

    /// False also where that cannot be known.
    func hasWriter(_ spot: Spot) throws(DiskError) -> Bool {
        guard try FileSystemCalls.lookIfThere(spot)?.kind == .file else { return false }
        do {
            return FileSystemCalls.hasWriter(try FileSystemCalls.openContent(spot)) ?? false
        } catch {
            return error.code == EAGAIN
        }
    }

    /// Keeps what nobody knew where nothing is destroyed, under its name, and says so.
    func keepAside(_ spot: Spot, as name: [CChar], _ job: InstallJob) throws(DiskError) {
        observe(job, .setAside(try setAside(spot, as: name, job.item)))
    }

    /// Gives the folder in `set-aside` that has it now.
    func setAside(
        _ spot: Spot, as name: [CChar], _ item: ItemID
    ) throws(DiskError) -> Name {
        while true {
            let text = "\(item.text)-\(nextNumber())"
            guard let folder = Name(text) else { preconditionFailure("an id is a short name") }
            let place = Spot(folders.setAside, folder)
            do {
                try FileSystemCalls.makeFolder(place, mode: 0o700)
            } catch {
                guard error.isTaken else { throw error }
                continue
            }
            let open = try FileSystemCalls.openFolder(place)
            try renameOwn(spot, to: Spot(folder: open, name: name))
            try FileSystemCalls.sync(open)
            try FileSystemCalls.sync(folders.setAside)
            return folder
        }
    }

    func openIfThere(_ spot: Spot) throws(DiskError) -> Descriptor? {
        do {
            return try FileSystemCalls.openEntry(spot)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// The stamp to record for what was put into place.
    ///
    /// If somebody has written to it since, it is the stamp before that, so that the write is seen
    /// as an edit and not taken for the version.
    func stamp(of open: Descriptor, as known: FileStamp, _ kind: EntryKind) -> FileStamp {
        guard let now = try? FileSystemCalls.look(open).stamp else { return known }
        return kind == .folder || now.isUntouched(since: known) ? now : known
    }

    /// Whether the folder shows the name as it was given, byte for byte.
    func showsName(_ spot: Spot) throws(DiskError) -> Bool {
        guard folders.manglesNames else { return true }
        let bytes = spot.name.dropLast().map { UInt8(bitPattern: $0) }
        return try FileSystemCalls.names(in: spot.folder).contains { $0.bytes == bytes }
    }
}

extension DiskEntry {
    /// The entry that the planner knows; of a folder only its identity tells.
    func isKnown(as expected: FileStamp) -> Bool {
        kind == .folder
            ? stamp.identity == expected.identity : stamp.isUntouched(since: expected)
    }
}
