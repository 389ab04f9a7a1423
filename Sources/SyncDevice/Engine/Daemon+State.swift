import DeviceSocket
import SyncStore

/// The device's own state: opened, and begun anew if it is damaged.
extension Daemon {
    static func openStore(_ home: DeviceHome) throws -> any DeviceStore {
        try DamagedState(home: home).finishIfBegun()
        do throws(StoreError) {
            return try SQLiteDeviceStore(folder: folder(home))
        } catch .corrupt(let text) {
            return try beginAnew(home, because: .corrupt(text))
        }
    }

    /// A new state for the account of the old one.
    private static func beginAnew(
        _ home: DeviceHome, because error: StoreError
    ) throws -> any DeviceStore {
        let number = try DamagedState(home: home).putAside(because: error)
        let store = try SQLiteDeviceStore(folder: folder(home))
        CommandOutput.complain(
            "ubiquity: the device's own state is damaged (\(error)) and begins anew, from the disk "
                + "and the server; the old one is \(shown(home.state))/state.db.damaged-\(number)")
        return store
    }

    /// The account that the home belongs to, from its copy if the state has lost it.
    func identity() throws(StoreError) -> DeviceIdentity? {
        let copy = IdentityFile.copy(in: home)
        if let identity = try store.identity() {
            // Where it cannot be written, the state's own is all there is, as it was before.
            if copy.read() != identity { try? copy.write(identity) }
            return identity
        }
        guard let identity = copy.read() else { return nil }
        try store.setIdentity(identity, clearing: true)
        return identity
    }

    /// Begins anew if that is what the error asks for; whether it has.
    func beginAnew(after error: StoreError) -> Bool {
        guard case .corrupt = error else { return false }
        // An identity that can still be read need not be copied any more.
        if IdentityFile.copy(in: home).read() == nil, let identity = try? store.identity() {
            try? IdentityFile.copy(in: home).write(identity)
        }
        // Who closes a file that has moved would remove the log of the new one.
        weak let damaged = store
        store = MemoryDeviceStore()
        guard damaged == nil, let fresh = try? Daemon.beginAnew(home, because: error) else {
            return false
        }
        store = fresh
        return true
    }

    private static func folder(_ home: DeviceHome) -> String {
        String(decoding: home.state, as: UTF8.self)
    }
}
