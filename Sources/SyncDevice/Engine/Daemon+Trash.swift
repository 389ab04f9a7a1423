import DeviceSocket
import SyncCore
import SyncWire

/// An item that comes back, until it is on the disk.
struct Restoration {
    let caller: Daemon.Caller
    let item: ItemID
    let deadline: Instant
}

/// The trash, and old versions that become current again.
extension Daemon {
    /// Items in one part of an answer.
    private static let trashPart = 500

    func tellTrash(_ caller: Caller, _ session: Session) {
        withTrash(caller, session) { daemon, rows, session in
            daemon.knowNames(of: rows.map(\.author), session) {
                daemon.reply(rows, to: caller)
            }
        }
    }

    private func reply(_ items: [TrashedItem], to caller: Caller) {
        guard let replica = session?.replica else {
            return failWithoutAccount(caller)
        }
        let states = Dictionary(items.map { ($0.state.id, $0.state) }) { first, _ in first }
        var rows = items.map { item in
            TrashRow(
                item: item.state.id, kind: item.state.kind,
                path: replica.path(of: item.state, among: states)?.bytes ?? [],
                deleted: item.moment, device: item.author, deviceName: name(of: item.author),
                isUnplaced: item.state.standing == .unplaced)
        }
        rows.sort { $0.path.lexicographicallyPrecedes($1.path) }
        while rows.count > Daemon.trashPart {
            let part = DeviceMessage(
                request: caller.request, body: .part(.trash(Array(rows.prefix(Daemon.trashPart)))))
            guard endpoint.send(part, to: caller.token) else { return }
            rows.removeFirst(Daemon.trashPart)
        }
        reply(.trash(rows), to: caller)
    }

    /// Asks the server for what is in the trash now.
    private func withTrash(
        _ caller: Caller, _ session: Session,
        then: @escaping (Daemon, [TrashedItem], Session) -> Void
    ) {
        guard session.link.condition == .open else {
            return failWithoutServer(caller, "the trash is at the server")
        }
        session.link.trash { [weak self] rows in
            guard let self, let session = self.session else { return }
            guard let rows else {
                return self.failWithoutServer(caller, "what is in the trash is not known")
            }
            then(self, rows, session)
        }
    }

    // MARK: Restoring

    func restore(_ item: ItemID, _ caller: Caller, _ session: Session) {
        withTrash(caller, session) { daemon, rows, session in
            guard let state = rows.first(where: { $0.state.id == item })?.state else {
                let text =
                    "it is in the trash no more: it was brought back, or its 30 days are over; "
                    + "`ubiquity trash` lists what is"
                return daemon.fail(caller, .notFound, text)
            }
            guard state.standing == .trashed else {
                return daemon.begin(.place(item), of: item, caller, session)
            }
            let deletions = state.heads.map(\.version)
            daemon.sweep(of: state, rows, session) { swept, session in
                daemon.contents(before: deletions, [], caller, session) { versions, session in
                    let command = ReplicaCommand.restore(state, versions, swept: swept)
                    daemon.begin(command, of: item, caller, session)
                }
            }
        }
    }

    /// What went from a folder one by one before the folder itself: two questions to the server,
    /// of which none needs an answer.
    private func sweep(
        of folder: ItemState, _ rows: [TrashedItem], _ session: Session,
        then: @escaping ([VersionID], Session) -> Void
    ) {
        guard folder.kind == .folder, let deletion = folder.heads.first?.version,
            let author = rows.first(where: { $0.state.id == folder.id })?.author
        else { return then([], session) }
        session.link.content(of: deletion) { [weak self] result in
            guard let session = self?.session else { return }
            guard case .success(let message) = result,
                let facts = session.replica.facts(ofFolderDeletion: message.version)
            else { return then([], session) }
            session.link.content(of: facts.sweptFrom) { [weak self] result in
                guard let session = self?.session else { return }
                guard case .success(let first) = result else { return then([], session) }
                let trash = rows.filter { $0.author == author }.map(\.state)
                then(
                    session.replica.sweep(of: folder, from: first.number, among: trash), session)
            }
        }
    }

    /// The versions that deletions were made from, with their contents, one after the other.
    private func contents(
        before deletions: [VersionID], _ found: [Version], _ caller: Caller, _ session: Session,
        then: @escaping ([Version], Session) -> Void
    ) {
        guard let next = deletions.first else {
            guard !found.isEmpty else {
                return fail(
                    caller, .expired,
                    "what it was before it was deleted is kept no more: its 30 days are over")
            }
            return then(found, session)
        }
        session.link.content(of: next) { [weak self] result in
            guard let self, let session = self.session else { return }
            guard let version = self.had(result, caller)?.version else { return }
            let rest = Array(deletions.dropFirst())
            if version.hasContent {
                self.contents(before: rest, found + [version], caller, session, then: then)
            } else {
                self.contents(
                    before: rest + version.parents, found, caller, session, then: then)
            }
        }
    }

    func restore(
        _ path: [UInt8], _ version: VersionID, _ caller: Caller, _ session: Session
    ) {
        guard let id = item(path, caller, session) else { return }
        guard session.link.condition == .open else {
            return failWithoutServer(caller, "the version is at the server")
        }
        // What comes while the content is fetched is not what the person does not want.
        guard let standing = session.replica.standing(of: id) else {
            return fail(
                caller, .notFound,
                "it has no version that could be replaced; `ubiquity status` says what waits")
        }
        guard version == standing || session.replica.isKnownHere(standing, of: id) else {
            return refuseUntold([standing], of: id, caller, session)
        }
        session.link.content(of: version) { [weak self] result in
            guard let self, let session = self.session else { return }
            guard let message = self.had(result, caller) else { return }
            guard message.item == id else {
                return self.fail(
                    caller, .notFound,
                    "that is a version of another file; `ubiquity versions` lists this one's")
            }
            guard message.version.hasContent else {
                return self.fail(
                    caller, .invalid,
                    "that version is a deletion and has no content; choose another one")
            }
            let command = ReplicaCommand.makeCurrent(id, message.version, instead: standing)
            self.begin(command, of: id, caller, session)
        }
    }

    /// The version, or nil after the program was told why it is not to be had.
    func had(
        _ result: Result<VersionMessage, Lack>, _ caller: Caller
    ) -> VersionMessage? {
        switch result {
        case .success(let message): return message
        case .failure(.unknown):
            fail(caller, .notFound, "there is no such version; `ubiquity versions` lists them")
        case .failure(.expired):
            fail(
                caller, .expired,
                "that version was replaced so long ago that its content is not kept; choose one "
                    + "that is not marked as expired")
        case .failure(.unreachable):
            failWithoutServer(caller, "the version cannot be had from the server")
        }
        return nil
    }

    private func begin(
        _ command: ReplicaCommand, of item: ItemID, _ caller: Caller, _ session: Session
    ) {
        session.feed(.command(command))
        session.step()
        restorations.append(
            Restoration(
                caller: caller, item: item,
                deadline: Clock.now().steady.advanced(milliseconds: 590_000)))
    }

    func settleRestorations() {
        guard !restorations.isEmpty, let session else { return }
        let now = Clock.now().steady
        for restoration in restorations {
            let isOver = !session.hasWork && session.replica.isInPlace(restoration.item)
            guard isOver || restoration.deadline <= now else { continue }
            restorations.removeAll { $0.caller == restoration.caller }
            if isOver {
                reply(.done, to: restoration.caller)
            } else {
                fail(
                    restoration.caller, .failed,
                    "it was asked for, but is not on the disk yet; `ubiquity status` says why")
            }
        }
    }

    // MARK: Confirming

    func confirm(_ isMeant: Bool, _ caller: Caller, _ session: Session) {
        let status = session.replica.status()
        if !isMeant, status.unconfirmed == 0 {
            guard let root = status.missingRoots.first else {
                return fail(
                    caller, .notFound,
                    "no deletions wait for a word; `ubiquity trash` lists what was deleted")
            }
            let path = home.containers + [0x2F] + root.bytes
            return fail(
                caller, .notFound,
                "no deletions wait for a word; \(shown(path)) is not there, is another folder, or "
                    + "is empty: bring back what was there, and it goes on by itself")
        }
        session.feed(.command(.confirm(isMeant: isMeant)))
        session.step()
        guard session.failure == nil else {
            return failWithoutState(caller)
        }
        reply(.done, to: caller)
    }
}
