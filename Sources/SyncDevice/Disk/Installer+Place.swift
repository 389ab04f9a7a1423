import Glibc
import SyncCore

/// Files and links into the tree.
extension Installer {
    func placeNew(
        _ job: InstallJob, _ staged: StagedEntry, at place: Spot
    ) throws(DiskError) -> JobOutcome {
        let open = try FileSystemCalls.openEntry(staged.spot)
        let ours = try look(open, staged, job)
        observe(job, .staged(open))
        let itself = foldersThemselves([staged.spot], job)
        do {
            try writing(in: [place.folder] + itself) { () throws(DiskError) in
                try FileSystemCalls.rename(staged.spot, to: place)
            }
        } catch {
            guard error.isTaken else { throw error.atName }
            return .unexpected(try standing(at: place, job))
        }
        staged.isHandedOver = true
        guard try showsName(place) else {
            try withdraw(ours.stamp, job, from: place)
            return .failed(.nameNotPossible)
        }
        return .done(stamp(of: open, as: ours.stamp, ours.kind))
    }

    /// Takes our file out of the tree again, under whatever name the file system gave it.
    private func withdraw(
        _ ours: FileStamp, _ job: InstallJob, from place: Spot
    ) throws(DiskError) {
        let name = StagingName.removed(nextNumber(), job.item, expected: FileMark(ours))
        let out = Spot(folders.staging, name.text)
        try FileSystemCalls.rename(place, to: out)
        _ = try destroy(out, job, ifKnownAs: ours, elseBackTo: place)
    }

    /// Swaps the new file with what stands there, and judges what came out.
    func replace(
        _ job: InstallJob, _ staged: StagedEntry, at place: Spot, expected: FileStamp
    ) throws(DiskError) -> JobOutcome {
        if let outcome = try objection(to: expected, at: place, job) { return outcome }
        let open = try FileSystemCalls.openEntry(staged.spot)
        let ours = try look(open, staged, job)
        observe(job, .staged(open))
        let name = StagingName.incoming(
            ours: FileMark(ours.stamp), job.item, expected: FileMark(expected))
        let swap = Swap(
            job: job, staged: staged, out: Spot(folders.staging, name.text), place: place,
            ours: ours.stamp)
        try FileSystemCalls.rename(staged.spot, to: swap.out)
        staged.isHandedOver = true
        do {
            let both = foldersThemselves([swap.out, place], job)
            try writing(in: [place.folder] + both) { () throws(DiskError) in
                try FileSystemCalls.exchange(swap.out, place)
            }
        } catch {
            if error.isUnsupported {
                return try replaceByTurns(swap, open, ours.kind, expected: expected)
            }
            try swap.takeBack()
            if error.isMissing { return .unexpected(nil) }
            throw error
        }
        observe(job, .swapped)
        switch try verdict(on: swap.out, expected: expected, job) {
        case .known:
            try removeKnown(swap.out, job.item, judgedAs: expected, carriedTo: place)
            return .done(stamp(of: open, as: ours.stamp, ours.kind))
        case .busy:
            try giveBack(swap)
            return .busy
        case .unknown:
            try giveBack(swap)
            return .unexpected(try standing(at: place, job))
        }
    }

    private func look(
        _ open: Descriptor, _ staged: StagedEntry, _ job: InstallJob
    ) throws(DiskError) -> DiskEntry {
        guard job.task.isOfPackage else { return try FileSystemCalls.look(open) }
        return try FileSystemCalls.look(staged.spot, isPackage: true)
    }

    func standing(at place: Spot, _ job: InstallJob) throws(DiskError) -> DiskEntry? {
        try FileSystemCalls.lookIfThere(place, isPackage: job.task.isOfPackage)
    }

    /// Why not to begin: most surprises are seen here, before anything is touched.
    func objection(
        to expected: FileStamp, at place: Spot, _ job: InstallJob
    ) throws(DiskError) -> JobOutcome? {
        guard let standing = try standing(at: place, job) else {
            return .unexpected(nil)
        }
        guard standing.isKnown(as: expected) else { return .unexpected(standing) }
        return try hasWriter(place, job) ? .busy : nil
    }

    /// Swaps back until what comes out is what we put there last.
    ///
    /// Anything else that comes out was saved in between and is newer: it goes back in its turn,
    /// and what it takes the place of is older than it. Nothing of that is destroyed: what is not
    /// ours and is left over in the end is set aside.
    private func giveBack(_ swap: Swap) throws(DiskError) {
        var placed = swap.ours.identity
        for _ in 0..<Self.swapsBack {
            let returning = try FileSystemCalls.look(swap.out).stamp.identity
            do {
                let both = foldersThemselves([swap.out, swap.place], swap.job)
                try writing(in: [swap.place.folder] + both) { () throws(DiskError) in
                    try FileSystemCalls.exchange(swap.out, swap.place)
                }
            } catch {
                // The name was emptied: the person's last word, but not the end of the content.
                guard error.isMissing else { throw error }
                break
            }
            if try FileSystemCalls.look(swap.out).stamp.identity == placed {
                guard placed == swap.ours.identity else { break }
                switch try verdict(on: swap.out, expected: swap.ours, swap.job) {
                case .known: return try swap.takeBack()
                // Somebody may yet write to ours: it is theirs now.
                case .busy: return try keepAside(swap)
                // Somebody has written to ours by its name: that is the newest, it goes back.
                case .unknown: break
                }
            }
            placed = returning
        }
        try keepAside(swap)
    }

    private func keepAside(_ swap: Swap) throws(DiskError) {
        try keepAside(swap.out, as: swap.place.name, swap.job)
    }

    /// Programs that save faster than that, again and again, do not exist.
    private static var swapsBack: Int { 64 }

    /// For file systems that cannot swap: the old file out, then the new one in.
    ///
    /// For a moment nothing stands at the name. That is better than a plain rename, which would
    /// destroy what was saved since we looked.
    func replaceByTurns(
        _ swap: Swap, _ open: Descriptor, _ kind: EntryKind, expected: FileStamp
    ) throws(DiskError) -> JobOutcome {
        let name = StagingName.replaced(nextNumber(), swap.job.item, expected: FileMark(expected))
        let old = Spot(folders.staging, name.text)
        do {
            let itself = foldersThemselves([swap.place], swap.job)
            try writing(in: [swap.place.folder] + itself) { () throws(DiskError) in
                try FileSystemCalls.rename(swap.place, to: old)
            }
        } catch {
            try swap.takeBack()
            if error.isMissing { return .unexpected(nil) }
            throw error
        }
        observe(swap.job, .swapped)
        let verdict = try verdict(on: old, expected: expected, swap.job)
        if verdict == .known {
            do {
                let itself = foldersThemselves([swap.out], swap.job)
                try writing(in: [swap.place.folder] + itself) { () throws(DiskError) in
                    try FileSystemCalls.rename(swap.out, to: swap.place)
                }
                try removeKnown(
                    old, swap.job.item, judgedAs: expected, carriedTo: swap.place)
                return .done(stamp(of: open, as: swap.ours, kind))
            } catch {
                // Saved again meanwhile: what came out was known, and is replaced by that.
                guard error.isTaken else { throw error }
                try removeKnown(
                    old, swap.job.item, judgedAs: expected, carriedTo: swap.place)
            }
        } else {
            try putBack(old, swap.job, at: swap.place)
        }
        try swap.takeBack()
        if verdict == .busy { return .busy }
        return .unexpected(try standing(at: swap.place, swap.job))
    }
}

/// A replacement under way.
struct Swap {
    let job: InstallJob
    let staged: StagedEntry
    /// Ours before the swap, then what came out.
    let out: Spot
    let place: Spot
    let ours: FileStamp

    /// Ours is out again and untouched: it can be installed another time.
    func takeBack() throws(DiskError) {
        try FileSystemCalls.rename(out, to: staged.spot)
        staged.isHandedOver = false
    }
}
