/// A key-value register's name: store and key are tags to the server.
package struct RegisterKey: Hashable, Sendable {
    package let store: Tag
    package let key: Tag

    package init(store: Tag, key: Tag) {
        self.store = store
        self.key = key
    }
}

/// One write of one register.
package struct KeyValueWrite: Hashable, Sendable {
    package let id: WriteID
    package let register: RegisterKey
    /// Store identifier and key, opaque to the server.
    package let name: [UInt8]
    /// Nil removes the key.
    package let value: [UInt8]?
    /// The write that its author saw; nil if the register had none.
    package let replaces: WriteID?
    /// Made before the device's first pull: sets only a key that the cloud lacks.
    package let beforeFirstPull: Bool

    package init(
        id: WriteID, register: RegisterKey, name: [UInt8], value: [UInt8]?, replaces: WriteID?,
        beforeFirstPull: Bool
    ) {
        self.id = id
        self.register = register
        self.name = name
        self.value = value
        self.replaces = replaces
        self.beforeFirstPull = beforeFirstPull
    }
}

/// A register's current write, as the log says it.
package struct RegisterState: Hashable, Sendable {
    package let register: RegisterKey
    package let name: [UInt8]
    package let write: WriteID
    package let value: [UInt8]?
    /// The server's time less the age, never below the last stamp given.
    package let stamp: WallTime

    package init(
        register: RegisterKey, name: [UInt8], write: WriteID, value: [UInt8]?, stamp: WallTime
    ) {
        self.register = register
        self.name = name
        self.write = write
        self.value = value
        self.stamp = stamp
    }
}
