package import SyncCore

/// The device as `status` shows it.
package struct DeviceStatus: Hashable, Sendable {
    package var state: DeviceState
    /// Nil while no account was joined.
    package var account: Account?
    /// The position up to which both sides agree.
    package var number: UInt64
    /// Operations that the server has not acknowledged.
    package var outbox: UInt64
    /// Contents that are on their way.
    package var downloads: UInt64
    /// Items with more than one head.
    package var conflicts: UInt64
    package var stuck: [StuckRow]
    /// Of the daemon.
    package var programVersion: String
    /// Files of which a placeholder stands here.
    package var evicted: UInt64
    /// What the device keeps free of its disk, in bytes; 0 if nobody asked for that.
    package var keptFree: UInt64
    /// The most bytes a second to the server, and from it; 0 for as many as there is room for.
    package var limitUp: UInt64
    package var limitDown: UInt64
    /// Items that had been deleted and came back with a restored server.
    package var returned: UInt64
    /// Folders of `set-aside`, each with something that was found and has no place.
    package var setAside: UInt64

    package struct Account: Hashable, Sendable {
        package var id: AccountID
        package var name: String
        package var device: DeviceID
        package var deviceName: String
        /// The address that was joined.
        package var server: String

        package init(
            id: AccountID, name: String, device: DeviceID, deviceName: String, server: String
        ) {
            self.id = id
            self.name = name
            self.device = device
            self.deviceName = deviceName
            self.server = server
        }
    }

    package init(
        state: DeviceState, account: Account?, number: UInt64, outbox: UInt64,
        downloads: UInt64, conflicts: UInt64, stuck: [StuckRow], programVersion: String,
        evicted: UInt64 = 0, keptFree: UInt64 = 0, limitUp: UInt64 = 0, limitDown: UInt64 = 0,
        returned: UInt64 = 0, setAside: UInt64 = 0
    ) {
        self.state = state
        self.account = account
        self.number = number
        self.outbox = outbox
        self.downloads = downloads
        self.conflicts = conflicts
        self.stuck = stuck
        self.programVersion = programVersion
        self.evicted = evicted
        self.keptFree = keptFree
        self.limitUp = limitUp
        self.limitDown = limitDown
        self.returned = returned
        self.setAside = setAside
    }
}

package enum DeviceState: UInt8, Hashable, Sendable, CaseIterable {
    case inSync = 1
    case syncing = 2
    case offline = 3
    case stuck = 4
    case unavailable = 5
    case revoked = 6
    case signedOut = 7

    /// As `status` prints it.
    package var text: String {
        switch self {
        case .inSync: "in sync"
        case .syncing: "syncing"
        case .offline: "offline"
        case .stuck: "stuck"
        case .unavailable: "unavailable"
        case .revoked: "revoked"
        case .signedOut: "signed out"
        }
    }
}

/// An item that does not get on, or that a wait did not see arrive.
package struct StuckRow: Hashable, Sendable {
    package var path: [UInt8]
    /// A word for programs.
    package var code: String
    /// A sentence for people.
    package var reason: String
    /// The next attempt; nil if it waits for somebody.
    package var next: WallTime?

    package init(path: [UInt8], code: String, reason: String, next: WallTime?) {
        self.path = path
        self.code = code
        self.reason = reason
        self.next = next
    }
}

/// How a wait ended.
package struct WaitReport: Hashable, Sendable {
    package var isInSync: Bool
    /// The position that everything agrees at, if it does.
    package var number: UInt64
    package var missing: [StuckRow]

    package init(isInSync: Bool, number: UInt64, missing: [StuckRow]) {
        self.isInSync = isInSync
        self.number = number
        self.missing = missing
    }
}
