import DeviceSocket
import SyncCore
import SyncStore
import SyncWire

/// What `status` says.
extension Daemon {
    static var programVersion: String { "0.1.0" }

    func status() -> DeviceStatus {
        guard let session else { return statusWithoutSession() }
        let replica = session.replica.status()
        let now = Clock.now()
        return DeviceStatus(
            state: state(replica, session), account: account(session.identity),
            number: replica.position.number, outbox: UInt64(replica.outbox),
            downloads: UInt64(replica.downloads), conflicts: UInt64(replica.conflicts),
            stuck: replica.stuck.map { Daemon.stuck($0, now) } + roots(replica)
                + unconfirmed(replica)
                + refusals(session, replica) + leftovers(session),
            programVersion: Daemon.programVersion, evicted: UInt64(replica.placeholders),
            keptFree: room.wanted, limitUp: limits.up, limitDown: limits.down,
            returned: UInt64(replica.returned), setAside: UInt64(session.disk.folders.countSetAside)
        )
    }

    private func statusWithoutSession() -> DeviceStatus {
        let identity = (try? store.identity()) ?? nil
        var stuck: [StuckRow] = []
        if let trouble {
            stuck.append(StuckRow(path: [], code: "home", reason: trouble, next: nil))
        }
        let isStuck = trouble != nil
        return DeviceStatus(
            state: isStuck ? .stuck : .signedOut,
            account: identity.flatMap { $0.token == nil ? nil : account($0) }, number: 0, outbox: 0,
            downloads: 0, conflicts: 0, stuck: stuck, programVersion: Daemon.programVersion)
    }

    private func account(_ identity: DeviceIdentity) -> DeviceStatus.Account {
        DeviceStatus.Account(
            id: identity.account, name: identity.accountName, device: identity.device,
            deviceName: identity.deviceName, server: identity.server)
    }

    private func state(_ replica: ReplicaStatus, _ session: Session) -> DeviceState {
        if session.link.condition == .revoked { return .revoked }
        if !replica.missingRoots.isEmpty { return .unavailable }
        if !replica.stuck.isEmpty { return .stuck }
        if replica.unconfirmed > 0 || !session.leftovers.isEmpty { return .stuck }
        if !replica.isConnected { return .offline }
        if !refusals(session, replica).isEmpty { return .stuck }
        if !session.isIdle { return .syncing }
        return replica.isInSync ? .inSync : .syncing
    }

    /// What the server does not take, as long as there is something for it.
    private func refusals(_ session: Session, _ replica: ReplicaStatus) -> [StuckRow] {
        guard replica.outbox > 0, let refusal = session.link.refusal else { return [] }
        return [StuckRow(path: [], code: "server", reason: refusal, next: nil)]
    }

    /// What an interrupted install had in its hands and the start could not judge.
    private func leftovers(_ session: Session) -> [StuckRow] {
        session.leftovers.map { name, reason in
            StuckRow(
                path: [], code: "leftover",
                reason: "what was being installed when the device was ended lies in "
                    + "\(shown(home.state + Array("/staging/".utf8) + name.bytes)) and cannot be "
                    + "judged (\(reason)); it is tried again at the next start",
                next: nil)
        }
    }

    private func unconfirmed(_ replica: ReplicaStatus) -> [StuckRow] {
        guard replica.unconfirmed > 0 else { return [] }
        return [
            StuckRow(
                path: [], code: "confirm",
                reason: "over half of a container was deleted here at once, and is kept elsewhere "
                    + "until 'ubiquity confirm' says that it is meant; "
                    + "'ubiquity confirm --undo' puts it back",
                next: nil)
        ]
    }

    private func roots(_ replica: ReplicaStatus) -> [StuckRow] {
        replica.missingRoots.map {
            StuckRow(
                path: $0.bytes, code: "unavailable",
                reason: "the folder is not there, is another one, or is empty: nothing is deleted "
                    + "elsewhere until it is back, or 'ubiquity confirm' says that it is meant",
                next: nil)
        }
    }

    static func stuck(_ view: ItemView, _ now: Moment) -> StuckRow {
        let next = view.nextAttempt.map {
            WallTime(milliseconds: now.wall.milliseconds + $0.milliseconds(since: now.steady))
        }
        return StuckRow(
            path: view.path.bytes, code: view.code, reason: view.reason, next: next)
    }
}

/// What of a status makes it another one.
struct DeviceStatusKey: Equatable {
    private let state: DeviceState
    private let counts: [UInt64]
    private let stuck: [StuckRow]

    init(_ status: DeviceStatus) {
        state = status.state
        counts = [
            status.number, status.outbox, status.downloads, status.conflicts, status.evicted,
            status.keptFree, status.limitUp, status.limitDown, status.returned, status.setAside,
        ]
        stuck = status.stuck
    }
}

extension LocalPath {
    /// Names joined by `/`.
    var bytes: [UInt8] { Array(names.map(\.bytes).joined(separator: [0x2F])) }

    /// Nil if a part is no name.
    init?(bytes: [UInt8]) {
        var names: [Name] = []
        for part in bytes.split(separator: 0x2F) {
            guard let name = Name(Array(part)) else { return nil }
            names.append(name)
        }
        self.init(names: names)
    }
}

extension ItemView {
    /// A word for programs.
    var code: String {
        switch problem {
        case .disk(.noSpace): "disk-full"
        case .disk(.notPermitted): "not-permitted"
        case .disk(.nameNotPossible): "name"
        case .disk: "disk"
        case .refused(.overLimit): "over-limit"
        case .refused: "refused"
        case .contentUnavailable: "content"
        case .contentDamaged: "damaged"
        case .busy: "busy"
        case .unreadable: "unreadable"
        case .nameHeld: "name-held"
        case .rootUnavailable: "unavailable"
        case .lostByServer: "lost"
        case nil:
            switch progress {
            case .uploading: "uploading"
            case .downloading: "downloading"
            case .placeholder: "placeholder"
            case .current, .stuck: "current"
            }
        }
    }

    /// A sentence for people.
    var reason: String {
        switch problem {
        case .disk(.noSpace): "the disk has too little room for it"
        case .disk(.notPermitted): "this user may not write there"
        case .disk(.nameNotPossible): "this file system cannot show the name"
        case .disk(.missing): "its folder is not there"
        case .disk: "the disk reported an error"
        case .refused(.overLimit): "the account has no room for it"
        case .refused(let refusal): "the server refused it: \(refusal)"
        case .contentUnavailable: "its content cannot be had from the server now"
        case .contentDamaged: "the server's content is not what the version says"
        case .busy: "a program is writing it"
        case .unreadable: "its name or facts cannot be read with this account's key"
        case .nameHeld: "a pipe, socket or device has its name here"
        case .rootUnavailable:
            "its container's folder is not there, is another one, or is empty: nothing in it is "
                + "changed, here or elsewhere, until it is back"
        case .lostByServer:
            "its content is lost: it was evicted here, and the server was restored to a state "
                + "without it; another device may still bring it, and 'ubiquity download' takes "
                + "the older version that the account has, if it has one"
        case nil:
            switch progress {
            case .placeholder: "a placeholder stands for it; 'ubiquity download' fetches it"
            case .uploading: "it is on its way to the server"
            case .downloading: "it is on its way to this device"
            case .current, .stuck: "it is in step"
            }
        }
    }
}
