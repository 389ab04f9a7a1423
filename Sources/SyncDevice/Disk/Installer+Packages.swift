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
        let moment = FileSystemCalls.wallClock()
        let walk = try PackageWalk(spot)
        if let judged, !walk.stamp.isUntouched(since: judged) {
            _ = try setAside(spot, as: place?.name ?? spot.name, item)
            return
        }
        let package = try FileSystemCalls.openFolder(spot)
        let successor = place.flatMap { try? FileSystemCalls.openFolder($0) }
        for path in walk.leftAlone { try carry(path, from: package, to: successor, item) }
        // From here on it is no whole package any more.
        let name = StagingName.leaving(nextNumber(), item, judgedAt: moment)
        let gone = Spot(folders.staging, name.text)
        try renameOwn(spot, to: gone)
        // Until the disk knows that it came out of the tree, its members are the person's.
        try FileSystemCalls.sync(folders.staging)
        _ = try removeMembers(walk, of: gone, item, as: place?.name) {
            (entry, member) throws(DiskError) in
            try isStill(entry, member)
        }
    }

    /// Goes on with a removal in whose middle a program died, by what is left of the package.
    ///
    /// A member that was changed since the package was judged is set aside, and so is one of which
    /// that is not sure.
    func removeRest(
        of gone: Spot, _ item: ItemID, judgedAt moment: FileTime, carriedTo place: Spot?
    ) throws(DiskError) -> Name? {
        guard moment.isBefore(FileSystemCalls.wallClock()) else {
            // Somebody has set the clock back: no time of a file says anything.
            return try setAside(gone, as: place?.name ?? gone.name, item)
        }
        let walk = try PackageWalk(gone)
        let package = try FileSystemCalls.openFolder(gone)
        let successor = place.flatMap { try? FileSystemCalls.openFolder($0) }
        for path in walk.leftAlone { try carry(path, from: package, to: successor, item) }
        return try removeMembers(walk, of: gone, item, as: place?.name) {
            (entry, member) throws(DiskError) in
            let changed = entry.stamp.changed
            guard changed.isBefore(moment), !changed.isWithinTick(of: moment) else { return false }
            return try isStill(entry, member)
        }
    }

    /// Removes the members that are still what they were, and then the folder; gives the folder of
    /// `set-aside` with what was left last.
    private func removeMembers(
        _ walk: PackageWalk, of gone: Spot, _ item: ItemID, as name: [CChar]?,
        ifKnown: (PackageWalk.Entry, Spot) throws(DiskError) -> Bool
    ) throws(DiskError) -> Name? {
        var aside: Name?
        let package = try FileSystemCalls.openFolder(gone)
        for entry in walk.entries.reversed() {
            let member = try FileSystemCalls.member(entry.path, of: package)
            try removing(member.folder) { () throws(DiskError) in
                if entry.kind == .folder {
                    try FileSystemCalls.removeFolder(member)
                } else if try ifKnown(entry, member) {
                    try FileSystemCalls.removeFile(member)
                } else {
                    aside = try setAside(member, as: member.name, item)
                }
            }
        }
        try removing(folders.staging) { () throws(DiskError) in
            try FileSystemCalls.removeFolder(gone)
        }
        // Somebody who was in it has made a file meanwhile.
        guard try FileSystemCalls.lookIfThere(gone) != nil else { return aside }
        return try setAside(gone, as: name ?? gone.name, item)
    }

    /// Renames within the device's own folders, also a folder that its owner may not write to.
    func renameOwn(_ spot: Spot, to other: Spot) throws(DiskError) {
        try writing(in: folders(among: [spot])) { () throws(DiskError) in
            try FileSystemCalls.rename(spot, to: other)
        }
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
        return folders(among: spots)
    }

    func folders(among spots: [Spot]) -> [Descriptor] {
        spots.compactMap { spot in
            guard (try? FileSystemCalls.look(spot))?.kind == .folder else { return nil }
            return try? FileSystemCalls.openEntry(spot)
        }
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
