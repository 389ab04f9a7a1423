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
        on spot: Spot, expected: FileStamp
    ) throws(DiskError) -> Verdict {
        let isBusy = try hasWriter(spot)
        let found = try FileSystemCalls.look(spot)
        guard found.kind != .folder, found.isKnown(as: expected) else { return .unknown }
        return isBusy ? .busy : .known
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

    /// Keeps what nobody knew where nothing is destroyed; gives its name there.
    @discardableResult
    func keepAside(_ spot: Spot, _ item: ItemID) throws(DiskError) -> Name {
        while true {
            let text = "\(item.text)-\(nextNumber())"
            guard let name = Name(text) else { preconditionFailure("an id is a short name") }
            do {
                try FileSystemCalls.rename(spot, to: Spot(folders.setAside, name))
                try FileSystemCalls.sync(folders.setAside)
                return name
            } catch {
                guard error.isTaken else { throw error }
            }
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

    /// Changes names in folders; one that its owner may not write to is opened for the moment.
    func writing(
        in places: [Descriptor], _ body: () throws(DiskError) -> Void
    ) throws(DiskError) {
        do {
            return try body()
        } catch {
            guard error.isRefusal else { throw error }
            var opened: [(Descriptor, UInt16)] = []
            defer {
                for (place, mode) in opened { try? FileSystemCalls.setMode(place, mode) }
            }
            for place in places {
                let mode = try FileSystemCalls.look(place).stamp.mode
                guard mode & 0o300 != 0o300 else { continue }
                try FileSystemCalls.setMode(place, mode | 0o300)
                opened.append((place, mode))
            }
            guard !opened.isEmpty else { throw error }
            try body()
        }
    }
}

extension DiskEntry {
    /// The entry that the planner knows; of a folder only its identity tells.
    func isKnown(as expected: FileStamp) -> Bool {
        kind == .folder
            ? stamp.identity == expected.identity : stamp.isUntouched(since: expected)
    }
}
