import DeviceSocket
import SyncCore
import SyncWire

/// A container that a program waits for.
struct Opening {
    let caller: Daemon.Caller
    let name: Name
    let deadline: Instant
}

extension Daemon {
    func beginOpening(_ id: [UInt8], _ caller: Caller, _ session: Session) {
        guard let name = Name(id), !IgnoredNames.contains(name) else {
            return fail(
                caller, .invalid,
                "that cannot be the name of a container; give one such as iCloud.org.example.app")
        }
        session.feed(.command(.openContainer(name)))
        openings.append(
            Opening(
                caller: caller, name: name,
                deadline: Clock.now().steady.advanced(milliseconds: 10_000)))
    }

    func settleOpenings() {
        guard !openings.isEmpty, let session else { return }
        let now = Clock.now().steady
        for opening in openings {
            let documents = LocalPath(names: [opening.name, Replica.documents])
            let isThere =
                session.replica.item(at: documents).flatMap { session.replica.path(of: $0) } != nil
            guard isThere || opening.deadline <= now else { continue }
            openings.removeAll { $0.caller == opening.caller }
            if isThere {
                reply(.folder(home.containers + [0x2F] + opening.name.bytes), to: opening.caller)
            } else {
                fail(
                    opening.caller, .failed,
                    "the container's folder cannot be made; `ubiquity status` says why")
            }
        }
    }
}
