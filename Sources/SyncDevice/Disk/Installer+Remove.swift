import Glibc
import SyncCore

/// Files and folders out of the tree.
extension Installer {
    func removeFile(
        _ job: InstallJob, at place: Spot, expected: FileStamp
    ) throws(DiskError) -> JobOutcome {
        if let outcome = try objection(to: expected, at: place, job) { return outcome }
        let itself = foldersThemselves([place], job).first
        let out = try takeOut(job, from: place, expected: expected, isFolder: itself)
        guard let out else { return .unexpected(nil) }
        return try destroy(out, job, ifKnownAs: expected, elseBackTo: place)
    }

    /// A folder goes only with nothing in it but ignored names, which are set aside.
    func removeFolder(
        _ job: InstallJob, at place: Spot, expected: FileStamp
    ) throws(DiskError) -> JobOutcome {
        guard let open = try openIfThere(place) else { return .unexpected(nil) }
        let standing = try FileSystemCalls.look(open)
        guard standing.kind == .folder, standing.isKnown(as: expected) else {
            return .unexpected(standing)
        }
        let names = try FileSystemCalls.names(in: open)
        guard names.allSatisfy(isIgnored) else { return .unexpected(standing) }
        for name in names {
            try writing(in: [open]) { () throws(DiskError) in
                let spot = Spot(open, name)
                try keepAside(spot, as: spot.name, job)
            }
        }
        let out = try takeOut(job, from: place, expected: expected, isFolder: open)
        guard let out else { return .unexpected(nil) }
        guard try FileSystemCalls.look(out).isKnown(as: expected) else {
            try putBack(out, job, at: place)
            return .unexpected(try FileSystemCalls.lookIfThere(place))
        }
        do {
            try FileSystemCalls.removeFolder(out)
            return .done(nil)
        } catch {
            // Somebody who was in it has made a file.
            guard error.isTaken else { throw error }
            try putBack(out, job, at: place)
            return .unexpected(try FileSystemCalls.lookIfThere(place))
        }
    }

    /// Takes what stands there out of the tree, to be judged; nil if nothing does.
    private func takeOut(
        _ job: InstallJob, from place: Spot, expected: FileStamp, isFolder: Descriptor? = nil
    ) throws(DiskError) -> Spot? {
        let name = StagingName.removed(nextNumber(), job.item, expected: FileMark(expected))
        let out = Spot(folders.staging, name.text)
        let itself = isFolder.map { [$0] } ?? []
        do {
            try writing(in: [place.folder] + itself) { () throws(DiskError) in
                try FileSystemCalls.rename(place, to: out)
            }
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
        observe(job, .swapped)
        return out
    }

    func destroy(
        _ out: Spot, _ job: InstallJob, ifKnownAs expected: FileStamp, elseBackTo place: Spot
    ) throws(DiskError) -> JobOutcome {
        let verdict = try verdict(on: out, expected: expected, job)
        if verdict == .known {
            try removeKnown(out, job.item, judgedAs: expected)
            return .done(nil)
        }
        try putBack(out, job, at: place)
        return verdict == .busy ? .busy : .unexpected(try standing(at: place, job))
    }

    /// Puts back what came out; if its name was taken meanwhile, it is set aside.
    func putBack(_ out: Spot, _ job: InstallJob, at place: Spot) throws(DiskError) {
        let itself = foldersThemselves([out], job)
        do {
            try writing(in: [place.folder] + itself) { () throws(DiskError) in
                try FileSystemCalls.rename(out, to: place)
            }
        } catch {
            guard error.isTaken || error.isMissing else { throw error }
            try keepAside(out, as: place.name, job)
        }
    }
}
