import SyncCore

/// Which packages were installed and not read by anybody yet, as far as the queue was read.
///
/// A package's folders have one watch each, which tells of reading and of writing; whether what it
/// tells is somebody's reading depends on where in the queue it stands. So what begins and ends
/// there are marks in the queue.
struct PackageReaders {
    /// A mark in the kernel's queue.
    enum Turn: Hashable {
        /// Who reads from here on is told of.
        case watched(FileIdentity, number: UInt64)
        /// From here on it may be we ourselves who read.
        case ownBegins(FileIdentity)
        case ownEnds(FileIdentity)
    }

    private struct Reading {
        let item: ItemID
        let number: UInt64
        var isBegun = false
    }

    private var readings: [FileIdentity: Reading] = [:]
    /// More than none while we read; a lost queue may tell the end before the beginning.
    private var own: [FileIdentity: Int] = [:]
    private var last: UInt64 = 0

    func isWatching(_ package: FileIdentity) -> Bool { readings[package] != nil }

    func isWatching(_ package: FileIdentity, for item: ItemID) -> Bool {
        readings[package]?.item == item
    }

    func isWatching(_ item: ItemID) -> Bool { readings.values.contains { $0.item == item } }

    mutating func add(_ package: FileIdentity, _ item: ItemID) -> Turn {
        last += 1
        readings[package] = Reading(item: item, number: last)
        return .watched(package, number: last)
    }

    mutating func pass(_ turn: Turn) {
        switch turn {
        case .watched(let package, let number):
            if readings[package]?.number == number { readings[package]?.isBegun = true }
        case .ownBegins(let package): count(1, package)
        case .ownEnds(let package): count(-1, package)
        }
    }

    private mutating func count(_ change: Int, _ package: FileIdentity) {
        let sum = (own[package] ?? 0) + change
        own[package] = sum == 0 ? nil : sum
    }

    /// Somebody has read a member: the item, if that is to be told.
    mutating func takeRead(of package: FileIdentity) -> ItemID? {
        guard readings[package]?.isBegun == true, own[package] == nil else { return nil }
        return readings.removeValue(forKey: package)?.item
    }

    mutating func forget(_ package: FileIdentity) { readings[package] = nil }

    /// True if it was watched and unread.
    mutating func forget(_ item: ItemID) -> Bool {
        let packages = readings.filter { $0.value.item == item }.keys
        for package in packages { readings[package] = nil }
        return !packages.isEmpty
    }
}
