import SyncCore

/// Events, actions and entries in few words, for a person who reads a story.
enum Telling {
    static func told(_ event: ReplicaEvent) -> String {
        switch event {
        case .seen(let sightings): "seen \(sightings.map(told).joined(separator: ", "))"
        case .listed(let folder, let entries):
            "listed \(told(folder)): \(entries.map(told).joined(separator: ", "))"
        case .unlisted(let folder, _): "unlisted \(told(folder))"
        case .read(let request, let outcome): "read \(told(request.slot)): \(told(outcome))"
        case .written(let sighting): "written \(told(sighting))"
        case .opened(let item): "opened \(told(item))"
        case .stirred(let package): "stirred inode \(package.inode)"
        case .installed(let job, let outcome): "installed \(job): \(told(outcome))"
        case .fetched(let item, let version, let outcome):
            "fetched \(told(version)) of \(told(item)): \(outcome)"
        case .described(let item, let version, let found):
            "described \(told(version)) of \(told(item)): \(found == nil ? "no" : "yes")"
        case .history(let item, let versions):
            "history of \(told(item)): \(versions.map { "\($0.count)" } ?? "no")"
        case .loaded(let item, let version, let bytes):
            "loaded \(told(version)) of \(told(item)): \(bytes == nil ? "no" : "yes")"
        case .kept(let item, _, let content):
            "kept a merge of \(told(item)): \(content == nil ? "no" : "yes")"
        case .contentLost(let entry): "content lost \(entry)"
        case .uploaded(let entry, let succeeded): "uploaded \(entry): \(succeeded)"
        case .answered(.outcomes(let outcomes)):
            "answered \(outcomes.map(told).joined(separator: ", "))"
        case .answered(let answer): "answered \(answer)"
        case .sendFailed: "send failed"
        case .entries(let after, let entries, let head):
            "entries after \(after.number): \(entries.map { $0.position.number }), "
                + "head \(head.number)"
        case .historyUnknown: "history unknown"
        case .snapshot(let snapshot):
            snapshot.map {
                "the account at \($0.position.number), common \($0.common.number)"
            } ?? "no snapshot"
        case .ancestry(let ancestries): "\(ancestries.count) ancestries"
        case .connection(let isOpen): isOpen ? "connected" : "disconnected"
        case .command(let command): told(command)
        case .timer: "timer"
        }
    }

    private static func told(_ command: ReplicaCommand) -> String {
        switch command {
        case .openContainer: "open the container"
        case .resolve(let item, let keep, let aside, _):
            "settle \(told(item)): keep \(told(keep.version)), "
                + "aside \(aside.map { told($0.version) })"
        case .setValue(_, let key, let value):
            "set \(String(decoding: key, as: UTF8.self)) to "
                + "\(value.map { String(decoding: $0, as: UTF8.self) } ?? "nothing")"
        case .noteRead(let item, let version): "\(told(version)) of \(told(item)) was read"
        case .noteTold(let item, let versions):
            "\(versions.map { told($0) }) of \(told(item)) were told"
        case .restore(let state, let versions, let swept):
            "restore \(told(state.id)) as \(versions.map { told($0.id) }), "
                + "with \(swept.count) that went before"
        case .makeCurrent(let item, let version, _):
            "make \(told(version.id)) of \(told(item)) current"
        case .place(let item): "place \(told(item))"
        case .lookAtRoots: "look at the roots"
        case .setResidence(let item, let residence): "\(told(item)) shall be \(residence)"
        case .confirm(let isMeant): isMeant ? "deletions are meant" : "deletions are not meant"
        }
    }

    static func told(_ action: ReplicaAction) -> String {
        switch action {
        case .persist(let changes): "persist \(changes.map(told).joined(separator: "; "))"
        case .list(let folder, let path): "list \(told(folder)) at \(told(path))"
        case .unwatch(let folder): "unwatch \(told(folder))"
        case .look(let slot, _): "look at \(told(slot))"
        case .read(let request): "read \(told(request.slot)) at \(told(request.path))"
        case .watchReading(let item, _): "watch readers of \(told(item))"
        case .forgetReaders(let item): "forget readers of \(told(item))"
        case .install(let job): "install \(job.id) of \(told(job.item)): \(told(job.task))"
        case .fetch(let request): "fetch \(told(request.version)) of \(told(request.item))"
        case .inquire(let item, let version): "inquire \(told(version)) of \(told(item))"
        case .inquireHistory(let item): "inquire the history of \(told(item))"
        case .inquireSnapshot(let landmarks):
            "inquire the account, having \(landmarks.map { "\($0.number)" })"
        case .recallAncestry(let number): "recall ancestries after \(number)"
        case .load(let item, let version): "load \(told(version)) of \(told(item))"
        case .keep(let item, let bytes): "keep \(bytes.count) bytes of \(told(item))"
        case .releaseFetched(let version): "release \(told(version))"
        case .upload(let entry, let chunks): "upload \(entry): \(chunks.count) chunks"
        case .releaseUpload(let entry): "release upload \(entry)"
        case .send(_, let operations, _):
            "send "
                + operations.map { "#\($0.number) \(told($0.body))" }.joined(separator: "; ")
        case .pull(let after): "pull after \(after.number)"
        case .wake(let instant): "wake at \(instant.nanoseconds / 1_000_000)"
        case .notify(let notice): "notify \(told(notice))"
        }
    }

    private static func told(_ notice: ReplicaNotice) -> String {
        switch notice {
        case .itemChanged(let item): "changed \(told(item))"
        case .itemRemoved(let item, let slot): "removed \(told(item)) from \(told(slot))"
        case .valueChanged(_, let key, _): "value \(String(decoding: key, as: UTF8.self))"
        case .statusChanged: "status"
        }
    }

    private static func told(_ change: ReplicaChange) -> String {
        switch change {
        case .node(let item, let record):
            "node \(told(item)) \(record.map(told) ?? "gone")"
        case .alias(let item, let holder): "alias \(told(item)) \(holder.map(told) ?? "gone")"
        case .outbox(let entry, let record):
            "outbox \(entry) "
                + (record.map { entry in
                    "#\(entry.number ?? 0) at \(entry.accepted ?? 0) \(told(entry.body))"
                } ?? "gone")
        case .register: "register"
        case .ancestry(let ancestry):
            "ancestry \(told(ancestry.child)) @\(ancestry.number)"
        case .ancestryLost(let number): "ancestry lost after \(number)"
        case .landmark(let position, let isKept):
            "landmark \(position.number)\(isKept ? "" : " gone")"
        case .progress(let progress): "cursor \(progress.cursor.number)"
        case .content(let version, let bytes):
            "content \(told(version)) \(bytes == nil ? "gone" : "kept")"
        }
    }

    private static func told(_ record: NodeRecord) -> String {
        var text = record.remote.map { "remote[\(told($0))]" } ?? "unknown"
        if let base = record.base {
            text += " base[\(told(base.slot)) \(told(base.version)) inode "
            text += "\(base.stamp.identity.inode)"
            if base.stamp.isRacy { text += " racy" }
            if base.isParked { text += " parked" }
            if base.isAside { text += " aside" }
            if base.placeholder != nil { text += " placeholder" }
            text += base.lastRead == base.version ? " read" : " unread"
            text += "]"
        }
        if let loss = record.loss {
            text += " lost[\(loss.versions.map(told).joined(separator: " ")) as \(loss.entry)]"
        }
        if let installing = record.installing { text += " installing \(told(installing))" }
        return text
    }

    private static func told(_ state: ItemState) -> String {
        let name = Name(state.placement.name)?.text ?? "?"
        let heads = state.heads.map { told($0.version) + ($0.hasContent ? "" : "-") }
        return "\(state.standing) \(told(state.placement.folder))/\(name) "
            + heads.joined(separator: "+") + " @\(state.changed)"
    }

    static func told(_ entry: LogEntry) -> String {
        "entry \(entry.position.number) by \(entry.author.low - 1) #\(entry.operation): "
            + entry.effects.map(told).joined(separator: "; ")
    }

    private static func told(_ effect: Effect) -> String {
        switch effect {
        case .item(let state, let version):
            "item \(told(state.id)) [\(told(state))]"
                + (version.map { " new \(told($0))" } ?? "")
        case .alias(let item, let holder): "\(told(item)) is \(told(holder))"
        case .folderRemoved(let folder, _, let survivors):
            "folder \(told(folder)) removed but \(survivors.map { told($0) })"
        case .register: "register"
        }
    }

    private static func told(_ body: Operation.Body) -> String {
        switch body {
        case .create(let item, let kind, let placement, let version):
            "create \(kind) \(told(item)) \(told(placement)) \(told(version))"
        case .edit(let item, let version): "edit \(told(item)) \(told(version))"
        case .move(let item, let placement): "move \(told(item)) to \(told(placement))"
        case .removeFolder(let removal):
            "remove folder \(told(removal.folder)) installed \(removal.installed) "
                + "beyond \(removal.beyond.map { told($0) })"
        case .write: "write"
        case .restoreFolder(let restoration): "restore folder \(told(restoration.folder))"
        }
    }

    private static func told(_ placement: Placement) -> String {
        "\(told(placement.folder))/\(Name(placement.name)?.text ?? "?")"
    }

    private static func told(_ version: Version) -> String {
        let parents = version.parents.map { told($0) }.joined(separator: "+")
        var text = "\(version.nature) \(told(version.id)) from [\(parents)]"
        if case .inline(let bytes) = version.content {
            text += " \(Document.tokens(in: bytes))"
        }
        return text
    }

    private static func told(_ outcome: Outcome) -> String {
        switch outcome {
        case .accepted(let number): "accepted \(number)"
        case .refused(let refusal): "refused \(refusal)"
        }
    }

    private static func told(_ outcome: ReadOutcome) -> String {
        guard case .content(let content) = outcome else { return "\(outcome)" }
        return "\(told(content.stamp)) \(content.digest.text.prefix(4))"
    }

    private static func told(_ outcome: JobOutcome) -> String {
        switch outcome {
        case .done(let stamp): "done \(stamp.map(told) ?? "")"
        case .unexpected(let entry): "unexpected \(entry.map { told($0.stamp) } ?? "nothing")"
        default: "\(outcome)"
        }
    }

    private static func told(_ task: InstallJob.Task) -> String {
        switch task {
        case .makeFolder(let path, _): "make folder \(told(path))"
        case .placeFile(let path, _, _, let expected):
            "place \(told(path)) over \(expected.map(told) ?? "nothing")"
        case .placeLink(let path, _, _, let expected):
            "place link \(told(path)) over \(expected.map(told) ?? "nothing")"
        case .placePackage(let path, _, _, let expected):
            "place package \(told(path)) over \(expected.map(told) ?? "nothing")"
        case .setMode(let path, _, _): "set mode \(told(path))"
        case .remove(let path, _, let expected): "remove \(told(path)) \(told(expected))"
        case .move(let from, let to, _): "move \(told(from)) to \(told(to))"
        case .park(let path, _): "park \(told(path))"
        case .unpark(let path, _): "unpark to \(told(path))"
        }
    }

    private static func told(_ sighting: Sighting) -> String {
        let entry = sighting.entry.map { "\($0.kind) \(told($0.stamp))" } ?? "nothing"
        return "\(told(sighting.slot)) = \(entry)"
    }

    private static func told(_ stamp: FileStamp) -> String {
        let modified = stamp.modified
        let time = "\(modified.seconds % 10_000).\(modified.nanoseconds / 1_000_000)"
        return "inode \(stamp.identity.inode) size \(stamp.size) of \(time)"
            + (stamp.isRacy ? " racy" : "")
    }

    private static func told(_ slot: Slot) -> String { "\(told(slot.folder))/\(slot.name.text)" }

    private static func told(_ path: LocalPath) -> String {
        path.names.map { $0 == Home.container ? "C" : $0.text }.joined(separator: "/")
    }

    /// The first digits are enough within one story.
    private static func told<Subject>(_ id: Identifier<Subject>) -> String {
        id.high == 0 && id.low == 0 ? "top" : String(id.text.prefix(4))
    }
}
