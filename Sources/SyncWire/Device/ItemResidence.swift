package import SyncCore

/// What a program wants of where a content is.
package enum ItemResidence: UInt8, Hashable, Sendable, CaseIterable {
    /// On this device, if nothing else is said.
    case here = 0
    /// At the server, with a placeholder on this device.
    case atServer = 1
    /// On this device, and not to be evicted for room.
    case pinned = 2
    /// As ``here``, of what was pinned: nothing is fetched.
    case unpinned = 3

    package var residence: Residence {
        switch self {
        case .here, .unpinned: .ordinary
        case .atServer: .evicted
        case .pinned: .pinned
        }
    }
}
