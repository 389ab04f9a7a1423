import Glibc
import SyncCore

/// Files and links into the tree.
extension Installer {
    func placeNew(
        _ job: InstallJob, _ staged: StagedEntry, at place: Spot
    ) throws(DiskError) -> JobOutcome {
        let open = try FileSystemCalls.openEntry(staged.spot)
        let ours = try FileSystemCalls.look(open)
        observe(job, .staged(open))
        do {
            try writing(in: [place.folder]) { () throws(DiskError) in
                try FileSystemCalls.rename(staged.spot, to: place)
            }
        } catch {
            guard error.isTaken else { throw error.atName }
            return .unexpected(try FileSystemCalls.lookIfThere(place))
        }
        staged.isHandedOver = true
        guard try showsName(place) else {
            try withdraw(ours.stamp, job.item, from: place)
            return .failed(.nameNotPossible)
        }
        return .done(stamp(of: open, as: ours.stamp, ours.kind))
    }

    /// Takes our file out of the tree again, under whatever name the file system gave it.
    private func withdraw(
        _ ours: FileStamp, _ item: ItemID, from place: Spot
    ) throws(DiskError) {
        let name = StagingName.removed(nextNumber(), item, expected: FileMark(ours))
        let out = Spot(folders.staging, name.text)
        try FileSystemCalls.rename(place, to: out)
        _ = try destroy(out, item, ifKnownAs: ours, elseBackTo: place)
    }

    /// Swaps the new file with what stands there, and judges what came out.
    func replace(
        _ job: InstallJob, _ staged: StagedEntry, at place: Spot, expected: FileStamp
    ) throws(DiskError) -> JobOutcome {
        if let outcome = try objection(to: expected, at: place) { return outcome }
        let open = try FileSystemCalls.openEntry(staged.spot)
        let ours = try FileSystemCalls.look(open)
        observe(job, .staged(open))
        let name = StagingName.incoming(
            ours: FileMark(ours.stamp), job.item, expected: FileMark(expected))
        let swap = Spot(folders.staging, name.text)
        try FileSystemCalls.rename(staged.spot, to: swap)
        staged.isHandedOver = true
        do {
            try writing(in: [place.folder]) { () throws(DiskError) in
                try FileSystemCalls.exchange(swap, place)
            }
        } catch {
            guard error.isUnsupported else {
                try FileSystemCalls.removeFile(swap)
                if error.isMissing { return .unexpected(nil) }
                throw error
            }
            return try replaceByTurns(job, swap, open, ours, at: place, expected: expected)
        }
        observe(job, .swapped)
        switch try verdict(on: swap, expected: expected) {
        case .known:
            try FileSystemCalls.removeFile(swap)
            return .done(stamp(of: open, as: ours.stamp, ours.kind))
        case .busy:
            try giveBack(swap, to: place, ours: ours.stamp, job.item)
            return .busy
        case .unknown:
            try giveBack(swap, to: place, ours: ours.stamp, job.item)
            return .unexpected(try FileSystemCalls.lookIfThere(place))
        }
    }

    /// Why not to begin: most surprises are seen here, before anything is touched.
    func objection(
        to expected: FileStamp, at place: Spot
    ) throws(DiskError) -> JobOutcome? {
        guard let standing = try FileSystemCalls.lookIfThere(place) else {
            return .unexpected(nil)
        }
        guard standing.isKnown(as: expected) else { return .unexpected(standing) }
        return try hasWriter(place) ? .busy : nil
    }

    /// Swaps back until what comes out is what we put there last, untouched.
    ///
    /// Anything else that comes out was saved in between and is newer: it goes back in its turn,
    /// and what it takes the place of is older than it. Nothing of that is destroyed: what is not
    /// ours and is left over in the end is set aside.
    private func giveBack(
        _ swap: Spot, to place: Spot, ours: FileStamp, _ item: ItemID
    ) throws(DiskError) {
        var placed = ours
        for _ in 0..<Self.swapsBack {
            let returning = try FileSystemCalls.look(swap).stamp
            do {
                try writing(in: [place.folder]) { () throws(DiskError) in
                    try FileSystemCalls.exchange(swap, place)
                }
            } catch {
                // The name was emptied: the person's last word, but not the end of the content.
                guard error.isMissing else { throw error }
                try keepAside(swap, item)
                return
            }
            let identity = try FileSystemCalls.look(swap).stamp.identity
            if identity == placed.identity {
                guard identity == ours.identity else {
                    try keepAside(swap, item)
                    return
                }
                if try verdict(on: swap, expected: ours) == .known {
                    return try FileSystemCalls.removeFile(swap)
                }
                // Somebody has opened ours by its name and written to it: it is the newest.
            }
            placed = returning
        }
        try keepAside(swap, item)
    }

    /// Programs that save faster than that, again and again, do not exist.
    private static var swapsBack: Int { 64 }

    /// For file systems that cannot swap: the old file out, then the new one in.
    ///
    /// For a moment nothing stands at the name. That is better than a plain rename, which would
    /// destroy what was saved since we looked.
    private func replaceByTurns(
        _ job: InstallJob, _ swap: Spot, _ open: Descriptor, _ ours: DiskEntry, at place: Spot,
        expected: FileStamp
    ) throws(DiskError) -> JobOutcome {
        let name = StagingName.replaced(nextNumber(), job.item, expected: FileMark(expected))
        let old = Spot(folders.staging, name.text)
        do {
            try FileSystemCalls.rename(place, to: old)
        } catch {
            try FileSystemCalls.removeFile(swap)
            if error.isMissing { return .unexpected(nil) }
            throw error
        }
        observe(job, .swapped)
        let verdict = try verdict(on: old, expected: expected)
        if verdict == .known {
            do {
                try FileSystemCalls.rename(swap, to: place)
                try FileSystemCalls.removeFile(old)
                return .done(stamp(of: open, as: ours.stamp, ours.kind))
            } catch {
                guard error.isTaken else { throw error }
            }
        }
        try FileSystemCalls.removeFile(swap)
        try putBack(old, job.item, at: place)
        return verdict == .busy ? .busy : .unexpected(try FileSystemCalls.lookIfThere(place))
    }
}
