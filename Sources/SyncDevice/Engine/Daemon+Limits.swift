import SyncCore
import SyncStore
import SyncWire

/// The most that goes to the server and comes from it in a second.
extension Daemon {
    private static let upSetting = "limit-up"
    private static let downSetting = "limit-down"

    /// What was asked for before the daemon was started.
    func readLimits() throws(StoreError) {
        limits.up = try storedLimit(Daemon.upSetting)
        limits.down = try storedLimit(Daemon.downSetting)
    }

    private func storedLimit(_ key: String) throws(StoreError) -> UInt64 {
        let stored = try store.setting(key)
        return stored.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    func limit(_ up: UInt64?, _ down: UInt64?, _ caller: Caller) {
        let wanted = [up, down].compactMap { $0 }
        guard wanted.allSatisfy({ $0 == 0 || $0 >= Pace.leastRate }) else {
            return fail(
                caller, .invalid, "a limit is at least \(Pace.leastRate) bytes a second, or off")
        }
        do throws(StoreError) {
            if let up { try keep(up, as: Daemon.upSetting) }
            if let down { try keep(down, as: Daemon.downSetting) }
        } catch {
            return fail(caller, .failed, "the device's own state cannot be written: \(error)")
        }
        limits = (up ?? limits.up, down ?? limits.down)
        session?.limit(up: limits.up, down: limits.down)
        reply(.done, to: caller)
    }

    private func keep(_ limit: UInt64, as key: String) throws(StoreError) {
        try store.setSetting(key, limit == 0 ? nil : Array("\(limit)".utf8))
    }
}
