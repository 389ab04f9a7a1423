import SyncCore
import SyncWire

/// A barrier: everything on disk, in the stores and in the log before the call.
struct Wait {
    let caller: Daemon.Caller
    let deadline: Instant
    /// Comes out of the watcher after all that happened on the disk before the call.
    var marker: Marker?
    /// The log's newest number after the call; nil until the server has said it.
    var target: UInt64?
    /// The server could not be asked.
    var isHeadWanted = false

    init(caller: Daemon.Caller, deadline: Instant, marker: Marker) {
        self.caller = caller
        self.deadline = deadline
        self.marker = marker
    }
}

extension Daemon {
    func beginWait(_ caller: Caller, _ milliseconds: UInt64, _ session: Session) {
        let now = Clock.now().steady
        let deadline = now.advanced(milliseconds: Int64(clamping: min(milliseconds, 1 << 40)))
        do throws(DiskError) {
            let marker = try session.disk.watcher.barrier()
            waits.append(Wait(caller: caller, deadline: deadline, marker: marker))
        } catch {
            // Without a marker nothing proves that the disk was seen.
            return fail(
                caller, .failed, "the disk cannot be watched (\(error)); start the device again")
        }
        session.feed(.command(.lookAtRoots))
        askForHead(caller, session)
    }

    private func askForHead(_ caller: Caller, _ session: Session) {
        session.link.head { [weak self] number in
            guard let self, let index = self.waits.firstIndex(where: { $0.caller == caller })
            else { return }
            guard let number else {
                // Asked again when the connection is there.
                self.waits[index].isHeadWanted = true
                return
            }
            self.waits[index].target = number
        }
    }

    func passMarkers(_ markers: [Marker]) {
        for marker in markers {
            for index in waits.indices where waits[index].marker == marker {
                waits[index].marker = nil
            }
        }
    }

    func settleWaits() {
        guard !waits.isEmpty, let session else { return }
        askAgain(session)
        let now = Clock.now().steady
        let isQuiet = session.replica.isQuiet && session.isIdle
        var status: ReplicaStatus?
        for wait in waits {
            let isDue = wait.deadline <= now
            let mayBeOver = isQuiet && wait.marker == nil && wait.target != nil
            guard isDue || mayBeOver else { continue }
            let current = status ?? session.replica.status()
            status = current
            let target = wait.target ?? .max
            let isInSync =
                mayBeOver && current.isInSync && current.position.number >= target
                && current.missingRoots.isEmpty
            guard isInSync || isDue else { continue }
            end(wait, current, isInSync, session)
        }
    }

    private func askAgain(_ session: Session) {
        guard session.link.condition == .open else { return }
        for index in waits.indices where waits[index].isHeadWanted {
            waits[index].isHeadWanted = false
            askForHead(waits[index].caller, session)
        }
    }

    private func end(
        _ wait: Wait, _ status: ReplicaStatus, _ isInSync: Bool, _ session: Session
    ) {
        waits.removeAll { $0.caller == wait.caller }
        let now = Clock.now()
        var missing = isInSync ? [] : status.unsettled.map { Daemon.stuck($0, now) }
        missing += session.reads.compactMap { request in
            StuckRow(
                path: request.path.bytes, code: "reading", reason: "it has not been read yet",
                next: nil)
        }
        missing += session.disk.watcher.pendingWrites.compactMap { slot in
            guard let path = session.replica.path(of: slot) else { return nil }
            return StuckRow(
                path: path.bytes, code: "busy", reason: "a program is writing it", next: nil)
        }
        if !isInSync, missing.isEmpty { missing = unrest(session) }
        if !isInSync, missing.isEmpty || !status.isConnected {
            missing.append(
                StuckRow(
                    path: [], code: status.isConnected ? "behind" : "offline",
                    reason: reason(status, session), next: nil))
        }
        reply(
            .waited(
                WaitReport(
                    isInSync: isInSync, number: status.position.number,
                    missing: isInSync ? [] : missing)), to: wait.caller)
    }

    /// Some of what is under way, where no item is known to lack anything.
    private func unrest(_ session: Session) -> [StuckRow] {
        let replica = session.replica
        var rows: [StuckRow] = []
        for unrest in replica.unrest {
            let (path, code, reason) =
                switch unrest {
                case .looking(let slot):
                    (replica.path(of: slot), "looking", "it has not been looked at yet")
                case .listing(let id):
                    (replica.home(of: id), "looking", "what is in it has not been listed yet")
                case .installing(let id):
                    (replica.home(of: id), "installing", "it is being put into place")
                case .fetching(let id): (replica.home(of: id), "fetching", "it is being fetched")
                case .sending(let entry):
                    (
                        replica.item(ofEntry: entry).flatMap { replica.home(of: $0) }, "sending",
                        "the server has not said that it has it"
                    )
                case .settling(let id):
                    (replica.home(of: id), "settling", "its versions are being compared")
                case .offering(let id):
                    (replica.home(of: id), "offering", "the restored server has lost it")
                }
            rows.append(
                StuckRow(path: path?.bytes ?? [], code: code, reason: reason, next: nil))
        }
        rows += session.postponedLooks.compactMap { slot in
            guard let path = replica.path(of: slot) else { return nil }
            return StuckRow(
                path: path.bytes, code: "looking", reason: "its folder is being renamed", next: nil)
        }
        if rows.isEmpty, session.hasWork {
            rows.append(
                StuckRow(
                    path: [], code: "busy", reason: "what has come is still being worked on",
                    next: nil))
        }
        return Array(rows.sorted { $0.path.lexicographicallyPrecedes($1.path) }.prefix(64))
    }

    private func reason(_ status: ReplicaStatus, _ session: Session) -> String {
        if status.hasForeignHistory {
            return
                "the server was restored, and its state is still being compared with this device's"
        }
        if !status.missingRoots.isEmpty { return "a container's folder is not there" }
        if status.isConnected { return "changes of other devices are still on their way" }
        return session.link.problem.map { "the server cannot be used: \($0)" }
            ?? "the server cannot be reached"
    }

    /// The account was left, or the home cannot be used.
    func failWaits() {
        for wait in waits {
            failWithoutAccount(wait.caller)
        }
        waits.removeAll()
        for restoration in restorations {
            failWithoutAccount(restoration.caller)
        }
        restorations.removeAll()
        for demand in demands { failWithoutAccount(demand.caller) }
        demands.removeAll()
        for resolution in resolutions { failWithoutAccount(resolution.caller) }
        resolutions.removeAll()
    }
}

// MARK: - Resolving

/// A choice among heads that waits for its place in the log and on the disk.
struct Resolution {
    let caller: Daemon.Caller
    let item: ItemID
    let keep: VersionID
    /// What was not chosen.
    let dropped: [Digest]
    /// What becomes items of their own.
    let aside: [ItemID]
    let deadline: Instant
}

extension Daemon {
    func beginResolution(
        _ path: [UInt8], _ keep: VersionID, _ both: Bool, _ among: [VersionID], _ caller: Caller,
        _ session: Session
    ) {
        guard let id = item(path, caller, session) else { return }
        let heads = session.replica.heads(of: id)
        guard heads.count > 1 else {
            return fail(
                caller, .notFound,
                "it has one version only; `ubiquity conflicts` lists what has several")
        }
        guard heads.contains(keep) else {
            return fail(
                caller, .stale,
                "that is not one of its versions now; `ubiquity conflicts` says which are")
        }
        if !both {
            // Those that go with both become files of their own: nothing is dropped.
            let untold =
                among.isEmpty
                ? session.replica.untoldHeads(of: id, beside: keep)
                : heads.filter { $0 != keep && !among.contains($0) }
            guard untold.isEmpty else {
                return refuseUntold(
                    untold, of: id, isPerson: among.isEmpty, caller, session)
            }
        }
        let wanted = both ? heads : [keep]
        collect(wanted, of: id, [], caller, session) { [weak self] contents in
            self?.resolve(id, keep, contents, heads, caller)
        }
    }

    /// The contents of heads, from this device or from the server, one after the other.
    private func collect(
        _ wanted: [VersionID], of id: ItemID, _ contents: [HeadContent], _ caller: Caller,
        _ session: Session, then: @escaping ([HeadContent]) -> Void
    ) {
        guard let next = wanted.first else { return then(contents) }
        let rest = Array(wanted.dropFirst())
        let take: (StoredContent) -> Void = { [weak self] content in
            let more = contents + [HeadContent(version: next, content: content)]
            self?.collect(rest, of: id, more, caller, session, then: then)
        }
        if let chunks = session.replica.description(of: next, of: id)?.chunks, !chunks.isEmpty {
            return take(.chunks(chunks))
        }
        if let bytes = session.ownContent(of: next) { return take(.inline(bytes)) }
        guard session.link.condition == .open else {
            return failWithoutServer(caller, "the version is at the server")
        }
        session.link.version(next) { [weak self] message in
            guard let message else {
                self?.failWithoutServer(caller, "the version cannot be had from the server")
                return
            }
            take(message.version.content)
        }
    }

    private func resolve(
        _ id: ItemID, _ keep: VersionID, _ contents: [HeadContent], _ heads: [VersionID],
        _ caller: Caller
    ) {
        guard let session, let kept = contents.first(where: { $0.version == keep }) else {
            return failWithoutAccount(caller)
        }
        guard session.replica.heads(of: id) == heads else {
            return fail(
                caller, .stale,
                "another version has come meanwhile; `ubiquity conflicts` says which")
        }
        let aside = contents.filter { $0.version != keep }
        session.feed(.command(.resolve(id, keep: kept, aside: aside, seen: heads)))
        let digests = heads.filter { $0 != keep }.compactMap { digest(of: $0, id, session) }
        resolutions.append(
            Resolution(
                caller: caller, item: id, keep: keep, dropped: digests,
                aside: aside.map { session.replica.asideID(of: $0.version, of: id) },
                deadline: Clock.now().steady.advanced(milliseconds: 25_000)))
    }

    func settleResolutions() {
        guard !resolutions.isEmpty, let session else { return }
        let now = Clock.now().steady
        for resolution in resolutions {
            let heads = session.replica.heads(of: resolution.item)
            let shown = session.replica.shown(of: resolution.item)?.version
            let isChosen = heads.count < 2 && heads.first == shown
            let isOverruled =
                isChosen && self.isOverruled(resolution, by: heads.first, session)
            let isOver =
                isOverruled
                || isChosen && resolution.aside.allSatisfy { session.replica.isInPlace($0) }
            guard isOver || resolution.deadline <= now else { continue }
            resolutions.removeAll { $0.caller == resolution.caller }
            if isOverruled {
                fail(
                    resolution.caller, .stale,
                    "another device chose another version before; `ubiquity versions` lists both")
            } else if isOver {
                reply(.done, to: resolution.caller)
            } else {
                fail(
                    resolution.caller, .offline,
                    "the choice is kept and goes on by itself, but is not in place yet; "
                        + "`ubiquity status` says what it waits for")
            }
        }
    }

    /// The first choice stands, and it was for what this one dropped.
    private func isOverruled(
        _ resolution: Resolution, by head: VersionID?, _ session: Session
    ) -> Bool {
        guard let head, let digest = digest(of: head, resolution.item, session) else {
            return false
        }
        return resolution.dropped.contains(digest)
            && digest != self.digest(of: resolution.keep, resolution.item, session)
    }

    private func digest(of version: VersionID, _ id: ItemID, _ session: Session) -> Digest? {
        session.replica.description(of: version, of: id)?.facts.digest
    }
}
