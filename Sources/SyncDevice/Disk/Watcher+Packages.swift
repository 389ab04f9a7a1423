import Glibc
import SyncCore
import Synchronization

/// Packages: their folders, and who reads what is in them.
extension Watcher {
    func isWatching(package: FileIdentity) -> Bool {
        state.withLock { $0.table.isWatching(package: package) }
    }

    /// Watches a folder of a package; true if it was not watched before.
    func watch(_ open: Descriptor, inPackage package: FileIdentity) throws(DiskError) -> Bool {
        try state.withLock { (state) throws(DiskError) in
            let isUnread = state.table.readers.isWatching(package)
            let watch = try FileSystemCalls.addWatch(
                notifications, open,
                mask: isUnread ? Self.folderMask | Self.memberMask : Self.folderMask)
            return state.table.addPackage(package, watch)
        }
    }

    /// For a package that is gone from the tree.
    func unwatch(package: FileIdentity) {
        state.withLock { state in
            state.table.readers.forget(package)
            for watch in state.table.removePackage(package) {
                _ = FileSystemCalls.removeWatch(notifications, watch)
            }
        }
    }

    /// Tells once, by ``WatchEvent/opened(_:)``, when another program reads a member.
    ///
    /// The closure watches all folders of the package by ``watch(_:inPackage:)``. Where that
    /// cannot be done the package counts as read at once.
    func watchReading(
        _ item: ItemID, ofPackage package: FileIdentity, _ watchAll: () throws(DiskError) -> Void
    ) {
        guard !isWatchingReading(item, ofPackage: package) else { return }
        let turn = state.withLock { $0.table.readers.add(package, item) }
        do throws(DiskError) {
            try watchAll()
            try mark(turn)
        } catch {
            state.withLock { state in
                state.table.readers.forget(package)
                state.givenUp.append(item)
            }
        }
    }

    /// The same for a package that has no name in the tree yet, by its folder.
    func watchReading(_ item: ItemID, ofPackage staged: Descriptor) {
        do throws(DiskError) {
            let identity = try FileSystemCalls.look(staged).stamp.identity
            let spot = Spot(staged, ".")
            watchReading(item, ofPackage: identity) { () throws(DiskError) in
                _ = try PackageWalk(spot) { (open) throws(DiskError) in
                    _ = try watch(open, inPackage: identity)
                }
            }
        } catch {
            state.withLock { $0.givenUp.append(item) }
        }
    }

    func isWatchingReading(_ item: ItemID, ofPackage package: FileIdentity) -> Bool {
        state.withLock { $0.table.readers.isWatching(package, for: item) }
    }

    /// What the closure reads of the package is not told of.
    ///
    /// Nor is what others read of it meanwhile: such a package goes on counting as unread.
    func readingOurselves<Value>(
        _ package: FileIdentity, _ body: () throws(DiskError) -> Value
    ) throws(DiskError) -> Value {
        guard state.withLock({ $0.table.readers.isWatching(package) }) else { return try body() }
        do throws(DiskError) {
            try mark(.ownBegins(package))
        } catch {
            // Nobody can tell then whose reading it is.
            state.withLock { $0.table.readers.forget(package) }
            return try body()
        }
        defer {
            do throws(DiskError) {
                try mark(.ownEnds(package))
            } catch {
                state.withLock { state in
                    state.table.readers.forget(package)
                    state.table.readers.pass(.ownEnds(package))
                }
            }
        }
        return try body()
    }

    private func mark(_ turn: PackageReaders.Turn) throws(DiskError) {
        try state.withLock { (state) throws(DiskError) in try mark(.turn(turn), &state) }
    }

    private static var memberMask: UInt32 { UInt32(bitPattern: IN_ACCESS | IN_CLOSE_NOWRITE) }
}
