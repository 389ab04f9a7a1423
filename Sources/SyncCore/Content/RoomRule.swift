/// Which files make room on a device that is to keep some free: those not used for longest.
package enum RoomRule {
    /// A file that could be evicted.
    package struct Candidate: Hashable, Sendable {
        package let item: ItemID
        /// What its content takes of the disk, in bytes.
        package let size: UInt64
        /// When somebody here last opened it, wrote it or had it fetched.
        package let used: FileTime

        package init(item: ItemID, size: UInt64, used: FileTime) {
            self.item = item
            self.size = size
            self.used = used
        }
    }

    /// What a placeholder takes itself.
    package static let placeholderSize: UInt64 = 4_096

    /// Those to be evicted, in their order, until as much is free as is wanted, or none is left.
    package static func choose(
        _ candidates: [Candidate], free: UInt64, wanted: UInt64
    ) -> [ItemID] {
        guard free < wanted else { return [] }
        var missing = wanted - free
        var chosen: [ItemID] = []
        let useful = candidates.filter { $0.size > placeholderSize }
        for candidate in useful.sorted(by: isBefore) {
            chosen.append(candidate.item)
            let gained = candidate.size - placeholderSize
            guard gained < missing else { break }
            missing -= gained
        }
        return chosen
    }

    private static func isBefore(_ one: Candidate, _ other: Candidate) -> Bool {
        if one.used.seconds != other.used.seconds { return one.used.seconds < other.used.seconds }
        if one.used.nanoseconds != other.used.nanoseconds {
            return one.used.nanoseconds < other.used.nanoseconds
        }
        return one.item < other.item
    }
}
