import Glibc
import SyncCore

/// Packages into the tree and out of it: as a file is, but that what came out is judged by all that
/// is in it, and goes member by member.
extension Installer {
    /// Nobody has one of its files open for writing; false also where that cannot be known.
    func hasWriter(inPackage spot: Spot) throws(DiskError) -> Bool {
        let package = try FileSystemCalls.openFolder(spot)
        for entry in try PackageWalk(spot).entries where entry.kind == .file {
            if try hasWriter(FileSystemCalls.member(entry.path, of: package)) { return true }
        }
        return false
    }

    /// Removes what is known, or ours: a file, or a package of which no more than that is known.
    ///
    /// What stays on this device is carried over to the package that stands at its place now. What
    /// of a package is not as it was judged, or was changed since, is set aside.
    func removeKnown(
        _ spot: Spot, _ item: ItemID, judgedAs judged: FileStamp? = nil,
        carriedTo place: Spot? = nil
    ) throws(DiskError) {
        guard try FileSystemCalls.look(spot).kind == .folder else {
            return try FileSystemCalls.removeFile(spot)
        }
        let walk = try PackageWalk(spot)
        if let judged, !walk.stamp.isUntouched(since: judged) {
            _ = try setAside(spot, as: place?.name ?? spot.name, item)
            return
        }
        let package = try FileSystemCalls.openFolder(spot)
        let successor = place.flatMap { try? FileSystemCalls.openFolder($0) }
        for path in walk.leftAlone { try carry(path, from: package, to: successor, item) }
        // From here on, after a crash, what is left of it is nobody's.
        let gone = newSpot()
        try FileSystemCalls.rename(spot, to: gone)
        // Until the disk knows that it came out of the tree, its members are the person's.
        try FileSystemCalls.sync(folders.staging)
        for entry in walk.entries.reversed() {
            let member = try FileSystemCalls.member(entry.path, of: package)
            try removing(member.folder) { () throws(DiskError) in
                if entry.kind == .folder {
                    try FileSystemCalls.removeFolder(member)
                } else if try isStill(entry, member) {
                    try FileSystemCalls.removeFile(member)
                } else {
                    _ = try setAside(member, as: member.name, item)
                }
            }
        }
        try removing(folders.staging) { () throws(DiskError) in
            try FileSystemCalls.removeFolder(gone)
        }
        // Somebody who was in it has made a file meanwhile.
        guard try FileSystemCalls.lookIfThere(gone) != nil else { return }
        _ = try setAside(gone, as: place?.name ?? gone.name, item)
    }

    /// Who stands in the folder of a package needs no name of it to write to a member.
    private func isStill(
        _ entry: PackageWalk.Entry, _ member: Spot
    ) throws(DiskError) -> Bool {
        if try hasWriter(member) { return false }
        return try FileSystemCalls.look(member).stamp.isUnchanged(since: entry.stamp)
    }

    /// Keeps a folder that something is in by now, and what is gone already.
    private func removing(
        _ folder: Descriptor, _ body: () throws(DiskError) -> Void
    ) throws(DiskError) {
        do {
            try writing(in: [folder], body)
        } catch {
            guard error.isTaken || error.isMissing else { throw error }
        }
    }

    private func carry(
        _ path: [UInt8], from package: Descriptor, to successor: Descriptor?, _ item: ItemID
    ) throws(DiskError) {
        let spot = try FileSystemCalls.member(path, of: package)
        if let successor {
            do {
                let target = try FileSystemCalls.member(path, of: successor)
                return try writing(in: [spot.folder, target.folder]) { () throws(DiskError) in
                    try FileSystemCalls.rename(spot, to: target)
                }
            } catch {
                guard error.isTaken || error.isMissing else { throw error }
            }
        }
        try writing(in: [spot.folder]) { () throws(DiskError) in
            _ = try setAside(spot, as: spot.name, item)
        }
    }

    /// A folder that goes into another one is written to itself: those of a package's swap.
    func foldersThemselves(_ spots: [Spot], _ job: InstallJob) -> [Descriptor] {
        guard job.task.isOfPackage else { return [] }
        return spots.compactMap { try? FileSystemCalls.openEntry($0) }
    }
}

extension InstallJob.Task {
    /// What stands at its place is to be judged with all that is in it.
    var isOfPackage: Bool {
        switch self {
        case .placePackage, .remove(_, .package, _): true
        case .placeFile, .placeLink, .makeFolder, .setMode, .remove, .move, .park, .unpark: false
        }
    }
}
