import DeviceSocket
import SyncCore
import SyncWire

/// Searches, once and live.
extension Daemon {
    /// So many items are looked at before the loop looks at everything else again.
    private static var visitsAtOnce: Int { 1_024 }

    func find(_ search: ItemSearch, _ caller: Caller, _ session: Session) {
        guard item(search.path, caller, session) != nil else { return }
        guard let finding = Finding(search, caller, session) else {
            return fail(caller, .invalid, "that is no condition that the device decides")
        }
        if search.isLive { session.queries.isWatched = true }
        findings.append(finding)
    }

    /// A search is still looking.
    var isFinding: Bool { findings.contains { $0.candidates != nil } }

    /// Goes on with each search, and tells those that are through of what has changed.
    func settleFindings() {
        session?.queries.isWatched = findings.contains { $0.search.isLive }
        guard !findings.isEmpty else { return }
        endFindings { $0.session != session.map { ObjectIdentifier($0) } }
        guard let session else { return }
        let changed = session.queries.takeChanged()
        var isRead: [Bool] = []
        for index in findings.indices { isRead.append(settle(index, changed, session)) }
        findings = zip(findings, isRead).filter(\.1).map(\.0)
        findings.removeAll { !$0.search.isLive && $0.candidates == nil }
    }

    /// False if nobody reads what it says.
    private func settle(_ index: Int, _ changed: [ItemID], _ session: Session) -> Bool {
        if findings[index].candidates != nil, !look(index, session) { return false }
        let changes = findings[index].take(changed, session)
        return changes.isEmpty || send(.event(.found(changes)), to: findings[index].caller)
    }

    private func look(_ index: Int, _ session: Session) -> Bool {
        let rows = findings[index].visit(Daemon.visitsAtOnce, session)
        let caller = findings[index].caller
        guard findings[index].candidates == nil else {
            return rows.isEmpty || send(.part(.items(rows)), to: caller)
        }
        let found = FoundItems(rows: rows, visited: findings[index].visited)
        return send(.reply(.found(found)), to: caller)
    }

    /// What a search has told is void with its session: its program asks again.
    private func endFindings(_ isVoid: (Finding) -> Bool) {
        for finding in findings where isVoid(finding) {
            fail(finding.caller, .cancelled, "the device began anew, or has another account now")
        }
        findings.removeAll(where: isVoid)
    }

    private func send(_ body: DeviceMessage.Body, to caller: Caller) -> Bool {
        endpoint.send(DeviceMessage(request: caller.request, body: body), to: caller.token)
    }
}
