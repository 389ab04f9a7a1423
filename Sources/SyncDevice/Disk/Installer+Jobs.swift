import Glibc
import SyncCore

/// The second half of a batch: each job on the tree.
extension Installer {
    func carryOut(
        _ job: InstallJob, _ staged: StagedEntry?, _ changes: inout ChangedFolders
    ) -> JobOutcome {
        do {
            return try attempt(job, staged, &changes)
        } catch {
            return .failed(error.failure)
        }
    }

    private func attempt(
        _ job: InstallJob, _ staged: StagedEntry?, _ changes: inout ChangedFolders
    ) throws(DiskError) -> JobOutcome {
        switch job.task {
        case .makeFolder(let path, let mode):
            return try makeFolder(try changed(path, &changes), mode: mode)
        case .placeFile(let path, _, _, let expected), .placeLink(let path, _, _, let expected),
            .placePackage(let path, _, _, let expected):
            guard let staged else { return .contentMissing }
            let place = try changed(path, &changes)
            guard let expected else { return try placeNew(job, staged, at: place) }
            return try replace(job, staged, at: place, expected: expected)
        case .setMode(let path, let mode, let expected):
            return try setMode(try folders.spot(of: path), mode, expected, &changes)
        case .remove(let path, let kind, let expected):
            let place = try changed(path, &changes)
            guard kind == .folder else {
                return try removeFile(job, at: place, expected: expected)
            }
            return try removeFolder(job, at: place, expected: expected)
        case .move(let from, let to, let expected):
            let source = try changed(from, &changes)
            return try move(source, to: try changed(to, &changes), expected: expected)
        case .park(let path, let expected):
            changes.insert(folders.parked)
            let source = try changed(path, &changes)
            return try park(job, from: source, expected: expected)
        case .unpark(let path, let expected):
            changes.insert(folders.parked)
            let place = try changed(path, &changes)
            return try unpark(job, to: place, expected: expected)
        }
    }

    /// Where a job works, noted as a change.
    private func changed(
        _ path: LocalPath, _ changes: inout ChangedFolders
    ) throws(DiskError) -> Spot {
        let spot = try folders.spot(of: path)
        changes.insert(spot.folder)
        return spot
    }

    private func makeFolder(_ place: Spot, mode: UInt16) throws(DiskError) -> JobOutcome {
        do {
            try writing(in: [place.folder]) { () throws(DiskError) in
                try FileSystemCalls.makeFolder(place, mode: mode)
            }
        } catch {
            guard error.isTaken else { throw error.atName }
            return .unexpected(try FileSystemCalls.lookIfThere(place))
        }
        guard try showsName(place) else {
            try FileSystemCalls.removeFolder(place)
            return .failed(.nameNotPossible)
        }
        let open = try FileSystemCalls.openEntry(place)
        let made = try FileSystemCalls.look(open)
        guard made.kind == .folder else { return .unexpected(made) }
        // The process's mask has taken some of it.
        if made.stamp.mode != mode {
            try tolerating { () throws(DiskError) in try FileSystemCalls.setMode(open, mode) }
        }
        return .done(try FileSystemCalls.look(open).stamp)
    }

    private func setMode(
        _ place: Spot, _ mode: UInt16, _ expected: FileStamp, _ changes: inout ChangedFolders
    ) throws(DiskError) -> JobOutcome {
        guard let open = try openIfThere(place) else { return .unexpected(nil) }
        let standing = try FileSystemCalls.look(open)
        guard standing.isKnown(as: expected), standing.stamp.mode == expected.mode,
            standing.kind == .file || standing.kind == .folder
        else { return .unexpected(standing) }
        try FileSystemCalls.setMode(open, mode)
        // The mode lies in the file's inode, which no folder's sync need write.
        if standing.kind == .folder { changes.insert(open) } else { changes.insertAll() }
        return .done(try FileSystemCalls.look(open).stamp)
    }

    private func park(
        _ job: InstallJob, from source: Spot, expected: FileStamp
    ) throws(DiskError) -> JobOutcome {
        let place = Spot(folders.parked, job.item.text)
        // What an earlier life has left there is no longer known to be anything.
        if try FileSystemCalls.lookIfThere(place) != nil {
            try keepAside(place, as: place.name, job)
        }
        return try move(source, to: place, expected: expected)
    }

    private func unpark(
        _ job: InstallJob, to place: Spot, expected: FileStamp
    ) throws(DiskError) -> JobOutcome {
        let source = Spot(folders.parked, job.item.text)
        let outcome = try move(source, to: place, expected: expected)
        // The item is as expected, its name was taken: to be tried again, but not at once.
        if case .unexpected(let standing?) = outcome, standing.isKnown(as: expected) {
            return .busy
        }
        return outcome
    }

    /// Renames, and judges what arrived: between looking and renaming another may have come.
    private func move(
        _ source: Spot, to place: Spot, expected: FileStamp
    ) throws(DiskError) -> JobOutcome {
        guard let open = try openIfThere(source) else { return .unexpected(nil) }
        let standing = try FileSystemCalls.look(open)
        guard standing.isKnown(as: expected) else { return .unexpected(standing) }
        // A folder that changes its parent is written to itself.
        let itself = standing.kind == .folder ? [open] : []
        do {
            try writing(in: [source.folder, place.folder] + itself) { () throws(DiskError) in
                try FileSystemCalls.rename(source, to: place)
            }
        } catch {
            if error.isTaken || error.isMissing {
                return .unexpected(try FileSystemCalls.lookIfThere(source))
            }
            throw error.atName
        }
        guard try showsName(place) else {
            try? FileSystemCalls.rename(place, to: source)
            return .failed(.nameNotPossible)
        }
        let arrived = try FileSystemCalls.lookIfThere(place)
        if let arrived, arrived.stamp.identity != expected.identity {
            // If its old name is taken again, it stays where it is, as another's file.
            try? FileSystemCalls.rename(place, to: source)
            return .unexpected(try FileSystemCalls.lookIfThere(source))
        }
        return .done(stamp(of: open, as: expected, standing.kind))
    }
}
