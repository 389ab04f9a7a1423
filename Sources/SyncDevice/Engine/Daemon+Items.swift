import DeviceSocket
import SyncCore
import SyncWire

/// Listing items, and watching them.
extension Daemon {
    private static var rowsAtOnce: Int { 512 }

    func items(_ path: [UInt8], _ depth: ItemsDepth, _ caller: Caller, _ session: Session) {
        guard let id = item(path, caller, session) else { return }
        send(rows(under: id, depth, session), to: caller)
    }

    func watchItems(_ path: [UInt8], _ caller: Caller, _ session: Session) {
        guard let id = item(path, caller, session) else { return }
        watches.append(Watch(caller: caller, subject: .items(path)))
        send(rows(under: id, .all, session), to: caller)
    }

    private func send(_ rows: [ItemRow], to caller: Caller) {
        var left = rows[...]
        while left.count > Daemon.rowsAtOnce {
            let part = DeviceMessage(
                request: caller.request, body: .part(.items(Array(left.prefix(Daemon.rowsAtOnce)))))
            guard endpoint.send(part, to: caller.token) else { return }
            left = left.dropFirst(Daemon.rowsAtOnce)
        }
        reply(.items(Array(left)), to: caller)
    }

    /// A folder before what is in it.
    private func rows(under id: ItemID, _ depth: ItemsDepth, _ session: Session) -> [ItemRow] {
        let replica = session.replica
        if depth == .itself { return [row(id, session)].compactMap { $0 } }
        if depth == .returned {
            let folder = replica.view(of: id)?.path.bytes ?? []
            let all = replica.undeleted.compactMap { row($0, session) }
            return all.filter { $0.path.isUnder(folder) }
        }
        var rows: [ItemRow] = []
        if id != .top, replica.view(of: id)?.kind != .folder {
            return [row(id, session)].compactMap { $0 }
        }
        var open = Array(replica.children(of: id).reversed())
        while let next = open.popLast() {
            if let row = row(next, session) { rows.append(row) }
            if depth == .all { open += replica.children(of: next).reversed() }
        }
        return rows
    }

    func row(_ id: ItemID, _ session: Session) -> ItemRow? {
        session.replica.view(of: id).map { ItemRow($0) }
    }

    // MARK: Telling

    /// Tells the watching programs what a step has changed.
    func tell(_ notices: [ReplicaNotice]) {
        guard !notices.isEmpty, let session else { return }
        for case .itemChanged(let id) in notices { session.queries.note(id) }
        tellItems(notices, session)
        tellValues(notices)
    }

    private func tellItems(_ notices: [ReplicaNotice], _ session: Session) {
        guard watches.contains(where: { $0.isItems }) else { return }
        var changed: [ItemID: ItemRow] = [:]
        var removed: [RemovedItem] = []
        for notice in notices {
            switch notice {
            case .itemChanged(let id):
                guard let row = row(id, session) else { continue }
                changed[row.item] = row
            case .itemRemoved(let id, let slot):
                // Its folder may be gone with it: then that is told.
                guard let path = session.replica.path(of: slot) else { continue }
                removed.append(RemovedItem(item: id, path: path.bytes))
            case .valueChanged, .statusChanged: break
            }
        }
        // What is in a folder that has moved has another path.
        for folder in removed where changed[folder.item]?.kind == .folder {
            for id in session.replica.descendants(of: folder.item) {
                if let row = row(id, session) { changed[row.item] = row }
            }
        }
        let rows = changed.sorted { $0.key < $1.key }.map(\.value)
        for watch in watches {
            guard case .items(let path) = watch.subject else { continue }
            let under = rows.filter { $0.path.isUnder(path) }
            let gone = removed.filter { $0.path.isUnder(path) }
            guard !under.isEmpty || !gone.isEmpty else { continue }
            send(.event(.items(changed: under, removed: gone)), to: watch)
        }
    }

    private func tellValues(_ notices: [ReplicaNotice]) {
        for watch in watches {
            guard case .values(let store) = watch.subject else { continue }
            var keys: [ValueChangeReason: [[UInt8]]] = [:]
            for case .valueChanged(let changed, let key, let reason) in notices
            where changed == store {
                keys[ValueChangeReason(reason), default: []].append(key)
            }
            for (reason, list) in keys.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                send(.event(.values(store: store, keys: list, reason)), to: watch)
            }
        }
    }

    func send(_ body: DeviceMessage.Body, to watch: Watch) {
        _ = endpoint.send(
            DeviceMessage(request: watch.caller.request, body: body), to: watch.caller.token)
    }

    /// Another account, or none: everything that was told is void.
    func tellAccountChange(_ watch: Watch) {
        switch watch.subject {
        case .status: send(.event(.status(status())), to: watch)
        case .values(let store):
            send(.event(.values(store: store, keys: [], .accountChange)), to: watch)
        case .items: break
        }
    }
}

/// What a program is told of from now on.
struct Watch {
    let caller: Daemon.Caller
    let subject: Subject

    enum Subject: Equatable {
        case status
        case items([UInt8])
        case values([UInt8])
    }

    var isStatus: Bool { subject == .status }

    var isItems: Bool {
        if case .items = subject { return true }
        return false
    }
}

extension ValueChangeReason {
    init(_ reason: ReplicaNotice.ValueReason) {
        switch reason {
        case .server: self = .serverChange
        case .firstPull: self = .initialSyncChange
        case .refused: self = .quotaViolationChange
        }
    }
}

extension ItemRow {
    init(_ view: ItemView) {
        let progress: ItemProgress
        switch view.progress {
        case .current: progress = .current
        case .uploading: progress = .uploading
        case .downloading: progress = .downloading
        case .stuck: progress = .stuck
        case .placeholder: progress = .placeholder
        }
        self.init(
            item: view.id, path: view.path.bytes, kind: view.kind, size: view.facts?.size ?? 0,
            modified: view.facts?.modified ?? FileTime(seconds: 0, nanoseconds: 0),
            state: progress, hasConflicts: view.hasConflict, version: view.version)
    }
}

extension [UInt8] {
    /// Whether the path is another one or lies below it.
    func isUnder(_ path: [UInt8]) -> Bool {
        if path.isEmpty || self == path { return true }
        return count > path.count && starts(with: path) && self[path.count] == 0x2F
    }
}
