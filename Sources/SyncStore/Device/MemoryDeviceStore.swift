package import SyncCore

/// A device's state in memory, which knows what a crash would leave.
package final class MemoryDeviceStore: DeviceStore {
    /// What the device holds; copies are cheap and stand for images of its disk.
    package struct Image: Hashable, Sendable {
        package var replica = ReplicaImage()
        package var contents: [VersionID: [UInt8]] = [:]
        package var identity: DeviceIdentity?
        package var settings: [String: [UInt8]] = [:]
        package var ancestries: [VersionID: Ancestry] = [:]

        package init() {}
    }

    /// What is durable.
    package private(set) var committed: Image
    /// Written, but not durable yet.
    private var staged: [ReplicaChange] = []
    /// Thrown by every call that writes while it is set; nothing is written then.
    package var fault: StoreError?

    package init(_ image: Image = Image()) { committed = image }

    /// The process died: what was not committed is gone.
    package func crash() { staged = [] }

    /// The disk is as it was when the image was made.
    package func restore(_ image: Image) {
        staged = []
        committed = image
    }

    package func load() throws(StoreError) -> ReplicaImage { committed.replica }

    /// Writes without making durable, for a process that dies between the two.
    package func stage(_ changes: [ReplicaChange]) { staged += changes }

    package func commit(_ changes: [ReplicaChange]) throws(StoreError) {
        try failIfFaulty()
        if !staged.isEmpty {
            for change in staged { committed.apply(change) }
            staged = []
        }
        for change in changes { committed.apply(change) }
    }

    package func content(_ version: VersionID) throws(StoreError) -> [UInt8]? {
        committed.contents[version]
    }

    package func ancestries(after number: UInt64) throws(StoreError) -> [Ancestry] {
        committed.ancestries.values.filter { $0.number > number }
    }

    package func identity() throws(StoreError) -> DeviceIdentity? { committed.identity }

    package func setIdentity(
        _ identity: DeviceIdentity, clearing: Bool
    ) throws(StoreError) {
        try failIfFaulty()
        committed.identity = identity
        guard clearing else { return }
        committed.replica = ReplicaImage()
        committed.contents = [:]
        committed.ancestries = [:]
    }

    package func setting(_ name: String) throws(StoreError) -> [UInt8]? {
        committed.settings[name]
    }

    package func setSetting(_ name: String, _ value: [UInt8]?) throws(StoreError) {
        try failIfFaulty()
        committed.settings[name] = value
    }

    private func failIfFaulty() throws(StoreError) {
        if let fault {
            staged = []
            throw fault
        }
    }
}

extension MemoryDeviceStore.Image {
    fileprivate mutating func apply(_ change: ReplicaChange) {
        switch change {
        case .node(let item, let record): replica.nodes[item] = record
        case .alias(let item, let holder): replica.aliases[item] = holder
        case .outbox(let entry, let record): replica.outbox[entry] = record
        case .register(let key, let record): replica.registers[key] = record
        case .progress(let progress): replica.progress = progress
        case .landmark(let position, let isKept): replica.keep(position, isKept)
        case .ancestry(let ancestry): ancestries[ancestry.child] = ancestry
        case .ancestryLost(let number):
            ancestries = ancestries.mapValues { $0.number > number ? $0.ofNoEntry : $0 }
        case .content(let version, let bytes):
            guard let bytes else {
                contents[version] = nil
                return
            }
            // A version's content never changes.
            if contents[version] == nil { contents[version] = bytes }
        }
    }
}
