import SyncCore

/// What becomes of a disk when its machine loses power.
extension SimulatedDisk {
    /// The kernel writes names after so long by itself, and contents after so much longer.
    private static let namesAreWritten: Int64 = 5_000_000_000
    private static let contentsAreWritten: Int64 = 35_000_000_000

    /// Time has passed: what is old enough survives a power failure.
    mutating func advance(to time: Int64, clock: Int64) {
        set(clock: clock)
        self.time = time
        guard time - flushedAt > Self.namesAreWritten else { return }
        flushNames()
    }

    /// Returns the saves whose bytes are gone.
    mutating func losePower(_ random: inout RandomSource) -> [SaveID] {
        let before = savesOnDisk()
        if random.happens(perMille: 500) { takeBack() }
        watchedFolders = []
        watchedFiles = [:]
        notices = []
        for number in inodes.indices { settle(number, &random) }
        flushNames()
        let after = Set(savesOnDisk())
        return before.filter { !after.contains($0) }
    }

    private mutating func settle(_ number: InodeNumber, _ random: inout RandomSource) {
        let inode = inodes[number]
        guard !inode.isFree else { return }
        self[number].handles = 0
        self[number].writers = 0
        if inode.kind == .file, !inode.isFlushed, isFresh(inode), random.happens(perMille: 300) {
            self[number].bytes = Array(inode.bytes.prefix(random.below(inode.bytes.count + 1)))
            self[number].save = nil
        }
        self[number].isFlushed = true
        releaseIfUnreachable(number)
    }

    private func isFresh(_ inode: Inode) -> Bool {
        time - inode.written < Self.contentsAreWritten
    }

    private func savesOnDisk() -> [SaveID] {
        var saves: [SaveID] = []
        for inode in inodes {
            if let save = inode.save { saves.append(save) }
        }
        return saves
    }
}
