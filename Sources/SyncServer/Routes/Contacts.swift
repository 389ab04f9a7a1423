import SyncCore
import SyncStore
import Synchronization

/// When devices last asked for something that changes nothing, and what they said of their disk.
///
/// A write is never older than its device's last contact. Requests that write are noted in the
/// database; to write for those that only read would cost more than it is worth: what they say is
/// made durable now and then.
final class Contacts: Sendable {
    /// What a device last said of its disk.
    struct Report: Sendable {
        let account: AccountID
        let moment: WallTime
        let installed: UInt64?
    }

    private struct Noted {
        var moments: [DeviceID: WallTime] = [:]
        var reports: [DeviceID: Report] = [:]
    }

    private let noted = Mutex<Noted>(Noted())

    /// More devices than this are not remembered at once.
    private static let capacity = 100_000

    func note(_ session: Session, at moment: WallTime) {
        noted.withLock { noted in
            if noted.moments.count >= Contacts.capacity {
                noted.moments.removeAll(keepingCapacity: true)
            }
            let device = session.device
            noted.moments[device] = max(moment, noted.moments[device] ?? moment)
        }
    }

    func note(_ session: Session, at moment: WallTime, installed: UInt64?) {
        noted.withLock { noted in
            guard noted.reports.count < Contacts.capacity else { return }
            noted.reports[session.device] = Report(
                account: session.account, moment: moment, installed: installed)
        }
    }

    /// The later of what is noted here and there.
    func last(of session: Session) -> WallTime {
        let noted = noted.withLock { $0.moments[session.device] }
        return max(session.lastContact, noted ?? session.lastContact)
    }

    /// What is not durable yet.
    func takeInstallations() -> [DeviceID: Report] {
        noted.withLock { noted in
            let taken = noted.reports
            noted.reports = [:]
            return taken
        }
    }

    /// It could not be made durable; what was said since is newer.
    func putBack(_ reports: [DeviceID: Report]) {
        noted.withLock { noted in
            noted.reports.merge(reports) { newer, _ in newer }
        }
    }
}
