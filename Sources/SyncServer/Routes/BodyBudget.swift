import SyncCore
import Synchronization

/// Bounds the bytes of requests that are held in memory until they are answered.
///
/// Without it a device that sends faster than the disk writes would take the memory of all.
final class BodyBudget: Sendable {
    private struct Held {
        var total = 0
        var byDevice: [Digest: Int] = [:]
    }

    private let total: Int
    private let ofDevice: Int
    private let held = Mutex(Held())

    init(total: Int, ofDevice: Int) {
        self.total = total
        self.ofDevice = ofDevice
    }

    /// False, and nothing taken, if the server or the device, known by its token, holds too much.
    func take(_ bytes: Int, of device: Digest) -> Bool {
        held.withLock { held in
            let mine = held.byDevice[device, default: 0]
            guard held.total + bytes <= total, mine + bytes <= ofDevice else { return false }
            held.total += bytes
            held.byDevice[device] = mine + bytes
            return true
        }
    }

    func giveBack(_ bytes: Int, of device: Digest) {
        held.withLock { held in
            held.total -= bytes
            let rest = held.byDevice[device, default: 0] - bytes
            held.byDevice[device] = rest == 0 ? nil : rest
        }
    }
}
