import SyncCore
import SyncStore
import Synchronization

/// When devices last asked for something that changes nothing.
///
/// A write is never older than its device's last contact. Requests that write are noted in the
/// database; to write for those that only read would cost more than it is worth.
final class Contacts: Sendable {
    private let moments = Mutex<[DeviceID: WallTime]>([:])

    /// More devices than this are not remembered at once.
    private static let capacity = 100_000

    func note(_ device: DeviceID, at moment: WallTime) {
        moments.withLock { moments in
            if moments.count >= Contacts.capacity { moments.removeAll(keepingCapacity: true) }
            moments[device] = max(moment, moments[device] ?? moment)
        }
    }

    /// The later of what is noted here and there.
    func last(of session: Session) -> WallTime {
        let noted = moments.withLock { $0[session.device] }
        return max(session.lastContact, noted ?? session.lastContact)
    }
}
