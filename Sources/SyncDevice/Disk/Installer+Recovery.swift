import Glibc
package import SyncCore

/// What a crash has left in the device's own folders.
extension Installer {
    /// What became of a content that was out of the tree when the program died.
    package enum Recovered: Hashable, Sendable {
        case putBack(ItemID)
        /// In this folder of `set-aside`.
        case setAside(ItemID, Name)
        /// Nothing could be done with it: it lies under this name in the staging folder, until the
        /// next start.
        case left(Name, DiskError)
    }

    /// Empties the staging folder; for the start, before any job.
    ///
    /// Our own half-made files go, and what came out of the tree and is what was expected to. All
    /// else goes back to its item's path, or is set aside if another file stands there. What
    /// cannot be judged is set aside too; what cannot even be renamed stays, and the others go on.
    ///
    /// Throws if something stays whose name is empty now: that must not be taken for a deletion.
    package func recover(
        place: (ItemID) -> LocalPath?
    ) throws(DiskError) -> [Recovered] {
        var recovered: [Recovered] = []
        var missing: DiskError?
        for name in try FileSystemCalls.names(in: folders.staging) {
            let spot = Spot(folders.staging, name)
            let meaning = StagingName(name.text)
            do {
                if let outcome = try recover(spot, meaning, place) { recovered.append(outcome) }
            } catch {
                do {
                    recovered.append(try rescue(name, meaning, place, error))
                } catch {
                    missing = error
                }
            }
        }
        if let missing { throw missing }
        try FileSystemCalls.syncAll(folders.staging)
        return recovered
    }

    /// What could not be judged, for this reason, is put where it is found.
    private func rescue(
        _ name: Name, _ meaning: StagingName?, _ place: (ItemID) -> LocalPath?,
        _ reason: DiskError
    ) throws(DiskError) -> Recovered {
        let left = Recovered.left(name, reason)
        switch meaning {
        case .fresh, .opened, .leaving, nil: return left
        case .incoming(_, let item, _), .removed(_, let item, _), .replaced(_, let item, _):
            do {
                return try putBack(Spot(folders.staging, name), item, to: place(item))
            } catch {
                guard case .replaced = meaning else { return left }
                throw reason
            }
        }
    }

    /// The items that are parked.
    package func parkedItems() throws(DiskError) -> [ItemID] {
        try FileSystemCalls.names(in: folders.parked).compactMap { ItemID(text: $0.text) }
    }

    private func recover(
        _ spot: Spot, _ meaning: StagingName?, _ place: (ItemID) -> LocalPath?
    ) throws(DiskError) -> Recovered? {
        switch meaning {
        case nil: return .setAside(.top, try setAside(spot, as: spot.name, .top))
        case .fresh:
            try FileSystemCalls.removeOwn(spot)
            return nil
        case .opened(_, _, let mark):
            try closeOpened(spot, mark)
            return nil
        case .incoming(let ours, let item, let expected):
            if try isQuiet(spot, either: [ours, expected]) {
                try removeKnown(spot, item, carriedTo: try existing(place(item)))
                return nil
            }
            return try swapBack(spot, ours: ours, item, to: place(item))
        case .removed(_, let item, let expected):
            if try removeIfEmptyFolder(spot) { return nil }
            if try isQuiet(spot, either: [expected]) {
                try removeKnown(spot, item)
                return nil
            }
            return try putBack(spot, item, to: place(item))
        case .replaced(_, let item, let expected):
            let path = place(item)
            if try isQuiet(spot, either: [expected]), try isTaken(path) {
                try removeKnown(spot, item, carriedTo: try existing(path))
                return nil
            }
            return try putBack(spot, item, to: path)
        case .leaving(_, let item, let moment):
            let aside = try removeRest(
                of: spot, item, judgedAt: moment, carriedTo: try existing(place(item)))
            return aside.map { .setAside(item, $0) }
        }
    }

    /// The file looks like one of these, and nobody is writing to it.
    private func isQuiet(_ spot: Spot, either marks: [FileMark]) throws(DiskError) -> Bool {
        if try FileSystemCalls.look(spot).kind == .folder {
            // A package; of a folder that is none, no mark is one of its members.
            guard try !hasWriter(inPackage: spot) else { return false }
        } else if try hasWriter(spot) {
            return false
        }
        return marks.contains(FileMark(try FileSystemCalls.look(spot, isPackage: true).stamp))
    }

    private func removeIfEmptyFolder(_ spot: Spot) throws(DiskError) -> Bool {
        guard try FileSystemCalls.look(spot).kind == .folder else { return false }
        do {
            try FileSystemCalls.removeFolder(spot)
            return true
        } catch {
            guard error.isTaken else { throw error }
            return false
        }
    }

    /// An unknown save came out and ours went in: that is undone as if it had not begun.
    private func swapBack(
        _ spot: Spot, ours: FileMark, _ item: ItemID, to path: LocalPath?
    ) throws(DiskError) -> Recovered {
        guard let place = try existing(path),
            let standing = try FileSystemCalls.lookIfThere(place, isPackage: true),
            FileMark(standing.stamp) == ours
        else { return try putBack(spot, item, to: path) }
        try writing(in: [place.folder] + folders(among: [spot, place])) { () throws(DiskError) in
            try FileSystemCalls.exchange(spot, place)
        }
        if try isQuiet(spot, either: [ours]) {
            try removeKnown(spot, item, carriedTo: place)
        } else {
            _ = try setAside(spot, as: place.name, item)
        }
        return .putBack(item)
    }

    private func putBack(
        _ spot: Spot, _ item: ItemID, to path: LocalPath?
    ) throws(DiskError) -> Recovered {
        guard let place = try existing(path) else {
            return .setAside(item, try setAside(spot, as: spot.name, item))
        }
        do {
            try writing(in: [place.folder] + folders(among: [spot])) { () throws(DiskError) in
                try FileSystemCalls.rename(spot, to: place)
            }
            return .putBack(item)
        } catch {
            guard error.isTaken || error.isMissing else { throw error }
            return .setAside(item, try setAside(spot, as: place.name, item))
        }
    }

    private func isTaken(_ path: LocalPath?) throws(DiskError) -> Bool {
        guard let place = try existing(path) else { return false }
        return try FileSystemCalls.lookIfThere(place) != nil
    }

    /// Nil if there is no path, or its folder is gone.
    private func existing(_ path: LocalPath?) throws(DiskError) -> Spot? {
        guard let path else { return nil }
        do {
            return try folders.spot(of: path)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }
}
