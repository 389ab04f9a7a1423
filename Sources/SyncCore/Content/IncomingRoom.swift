/// The room of a disk, in bytes.
package struct DiskRoom: Hashable, Sendable {
    package let free: UInt64
    package let total: UInt64

    package init(free: UInt64, total: UInt64) {
        self.free = free
        self.total = total
    }

    /// What is left to others, and to this device's own state: a thirty-second, 128 MiB at most.
    package var reserve: UInt64 { min(total / 32, 128 * 1_048_576) }

    /// Whether so much can be written, and the reserve stays.
    package func fits(_ bytes: UInt64) -> Bool { free >= reserve && free - reserve >= bytes }
}

/// Whether a disk has room for the contents that are on their way to it.
///
/// A content is begun only if there is room for all of it, beside what others that were begun have
/// yet to write. So none fills the disk, to be thrown away and fetched again.
package struct IncomingRoom: Sendable {
    package enum Answer: Hashable, Sendable {
        case granted
        /// It is asked again later; what has come of it stays, or gives its room back.
        case refused(givesBack: Bool)
    }

    /// What each content has yet to write.
    private var claims: [VersionID: UInt64] = [:]
    private var shortages: [VersionID: Shortage] = [:]

    /// A disk that took less than it said: there may be a limit of another kind.
    private struct Shortage {
        let free: UInt64
        let lacking: UInt64
        let at: Instant
    }

    package init() {}

    /// Whether a content can be begun that has so much yet to write.
    package mutating func begin(
        _ version: VersionID, needing bytes: UInt64, in room: DiskRoom, at now: Instant
    ) -> Answer {
        claims[version] = nil
        let claimed = claims.values.reduce(UInt64(0), Self.sum)
        let isComplete = bytes == 0
        guard isComplete || room.fits(Self.sum(bytes, claimed)) && !isShort(version, room, now)
        else {
            // What cannot be completed takes no room from others who have none.
            return .refused(givesBack: room.free < room.reserve)
        }
        claims[version] = bytes
        return .granted
    }

    private func isShort(_ version: VersionID, _ room: DiskRoom, _ now: Instant) -> Bool {
        guard let shortage = shortages[version] else { return false }
        return now.milliseconds(since: shortage.at) < Self.patience
            && room.free < Self.sum(shortage.free, shortage.lacking)
    }

    package mutating func wrote(_ version: VersionID, _ bytes: UInt64) {
        guard let left = claims[version] else { return }
        claims[version] = left - min(left, bytes)
    }

    /// Whether what was begun may go on although others fill the disk.
    package func mayGoOn(in room: DiskRoom) -> Bool { room.free >= room.reserve / 2 }

    /// The disk is full in spite of what it said, and what had come is given back.
    package mutating func ranOut(_ version: VersionID, in room: DiskRoom, at now: Instant) {
        shortages[version] = Shortage(
            free: room.free, lacking: max(claims[version] ?? 0, 1), at: now)
    }

    /// The content is complete, or is not gone on with for now.
    package mutating func end(_ version: VersionID, isComplete: Bool) {
        claims[version] = nil
        if isComplete { shortages[version] = nil }
    }

    private static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let (sum, isOver) = one.addingReportingOverflow(other)
        return isOver ? .max : sum
    }

    /// In milliseconds: so often a disk is tried that took less than it said.
    private static var patience: Int64 { 3_600_000 }
}
