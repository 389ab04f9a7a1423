import DeviceSocket
import SyncCore
import SyncWire

/// What programs ask for, and what they are answered.
extension Daemon {
    /// Who asked, and under which number.
    struct Caller: Hashable {
        let token: ConnectionToken
        let request: UInt64
    }

    func take(_ request: DeviceRequest, from token: ConnectionToken) {
        let caller = Caller(token: token, request: request.id)
        switch request.call {
        case .status:
            afterLookingAtRoots(caller) { $0.reply(.status($0.status()), to: caller) }
        case .watchStatus:
            watches.append(Watch(caller: caller, subject: .status))
            reply(.status(status()), to: caller)
        case .keepFree(let bytes): keepFree(bytes, caller)
        case .limit(let up, let down): limit(up, down, caller)
        case .accountChanged:
            accountChanged()
            reply(.done, to: caller)
        case .cancel(let other):
            forget(Caller(token: token, request: other))
            reply(.done, to: caller)
        case .unknown:
            fail(
                caller, .unsupported,
                "the running device is older than this command; start it again")
        case .why, .confirm(isMeant: false):
            afterLookingAtRoots(caller) { $0.takeInSession(request.call, caller) }
        default: takeInSession(request.call, caller)
        }
    }

    private func takeInSession(_ call: DeviceCall, _ caller: Caller) {
        guard let session else {
            let text = trouble ?? "no account was joined; run `ubiquity join`"
            return fail(caller, trouble == nil ? .signedOut : .failed, text)
        }
        switch call {
        case .wait(let milliseconds): beginWait(caller, milliseconds, session)
        case .items(let path, let depth): items(path, depth, caller, session)
        case .content(let path, let version, let offset):
            content(path, version, offset, caller, session)
        case .conflicts: tellConflicts(caller, session)
        case .versions(let path): versions(path, caller, session)
        case .resolve(let path, let keep, let both, let among):
            beginResolution(path, keep, both, among, caller, session)
        case .noteTold(let path, let versions): noteTold(path, versions, caller, session)
        case .value(let store, let key):
            reply(.value(session.replica.value(store: store, key: key)), to: caller)
        case .setValue(let store, let key, let value):
            setValue(store, key, value, caller, session)
        case .values(let store): reply(.values(rows(of: store, session)), to: caller)
        case .why(let path): why(path, caller, session)
        case .openContainer(let id): beginOpening(id, caller, session)
        case .noteRead(let path, let version): noteRead(path, version, caller, session)
        case .watchItems(let path): watchItems(path, caller, session)
        case .watchValues(let store):
            watches.append(Watch(caller: caller, subject: .values(store)))
            reply(.values(rows(of: store, session)), to: caller)
        case .trash: tellTrash(caller, session)
        case .restoreItem(let item): restore(item, caller, session)
        case .restoreVersion(let path, let version): restore(path, version, caller, session)
        case .setResidence(let path, let wanted): setResidence(path, wanted, caller, session)
        case .confirm(let isMeant): confirm(isMeant, caller, session)
        case .find(let search): find(search, caller, session)
        case .status, .watchStatus, .accountChanged, .keepFree, .limit, .cancel, .unknown: break
        }
    }

    // MARK: Answers

    func reply(_ reply: DeviceReply, to caller: Caller) {
        _ = endpoint.send(
            DeviceMessage(request: caller.request, body: .reply(reply)), to: caller.token)
    }

    func fail(_ caller: Caller, _ code: DeviceFailure.Code, _ text: String) {
        let failure = DeviceFailure(code, text)
        _ = endpoint.send(
            DeviceMessage(request: caller.request, body: .failure(failure)), to: caller.token)
    }

    /// The program is gone, and with it all that it waits for.
    func forget(_ token: ConnectionToken) {
        waits.removeAll { $0.caller.token == token }
        watches.removeAll { $0.caller.token == token }
        resolutions.removeAll { $0.caller.token == token }
        openings.removeAll { $0.caller.token == token }
        restorations.removeAll { $0.caller.token == token }
        demands.removeAll { $0.caller.token == token }
        rootQuestions.removeAll { $0.caller.token == token }
        findings.removeAll { $0.caller.token == token }
    }

    private func forget(_ caller: Caller) {
        waits.removeAll { $0.caller == caller }
        watches.removeAll { $0.caller == caller }
        findings.removeAll { $0.caller == caller }
    }

    /// The item at a path, or nil after the program was told that there is none.
    func item(_ path: [UInt8], _ caller: Caller, _ session: Session) -> ItemID? {
        guard let local = LocalPath(bytes: path), let id = session.replica.item(at: local) else {
            fail(caller, .notFound, Daemon.noSuchFile)
            return nil
        }
        return id
    }

    // MARK: Key-values

    private func setValue(
        _ store: [UInt8], _ key: [UInt8], _ value: [UInt8]?, _ caller: Caller, _ session: Session
    ) {
        guard session.replica.fits(value, key: key, store: store) else {
            return fail(
                caller, .overLimit,
                "the store has no room for it and the old value stays; delete a key first")
        }
        session.feed(.command(.setValue(store: store, key: key, value: value)))
        session.step()
        guard session.failure == nil else {
            return failWithoutState(caller)
        }
        reply(.done, to: caller)
    }

    func rows(of store: [UInt8], _ session: Session) -> [KeyValueRow] {
        session.replica.values(store: store).map { KeyValueRow(key: $0.key, value: $0.value) }
    }

    private func noteRead(
        _ path: [UInt8], _ version: VersionID, _ caller: Caller, _ session: Session
    ) {
        guard let id = item(path, caller, session) else { return }
        session.feed(.command(.noteRead(id, version)))
        session.step()
        reply(.done, to: caller)
    }
}
