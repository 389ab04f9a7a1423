import SyncCore
import SyncWire

// What a core is told and answers when it is spoken to in bytes.
extension RandomValues {
    mutating func moment() -> Moment {
        Moment(steady: Instant(nanoseconds: signed()), wall: wallTime())
    }

    mutating func path() -> LocalPath { LocalPath(names: list { $0.name() }) }

    mutating func slot() -> Slot { Slot(folder: id(), name: name()) }

    mutating func entryKind() -> EntryKind {
        [EntryKind.file, .folder, .link, .other, .package].randomElement(using: &self)!
    }

    mutating func diskFailure() -> DiskFailure {
        DiskFailure(rawValue: UInt8.random(in: 1...6, using: &self))!
    }

    mutating func diskEntry() -> DiskEntry { DiskEntry(kind: entryKind(), stamp: stamp()) }

    mutating func sighting() -> Sighting {
        Sighting(slot: slot(), entry: maybe { $0.diskEntry() })
    }

    mutating func readRequest() -> ReadRequest {
        ReadRequest(
            slot: slot(), path: path(), kind: entryKind(), prefix: maybe { $0.number() },
            isForOpenFile: bool())
    }

    mutating func readOutcome() -> ReadOutcome {
        let content = ReadContent(
            stamp: stamp(), digest: digest(), prefixDigest: maybe { $0.digest() },
            content: content())
        return [.content(content), .busy, .gone, .failed(diskFailure())]
            .randomElement(using: &self)!
    }

    mutating func jobOutcome() -> JobOutcome {
        [
            .done(maybe { $0.stamp() }), .unexpected(maybe { $0.diskEntry() }), .busy,
            .contentMissing, .failed(diskFailure()),
        ].randomElement(using: &self)!
    }

    mutating func fetchOutcome() -> FetchOutcome {
        [.arrived, .unavailable, .failed(diskFailure()), .damaged].randomElement(using: &self)!
    }

    mutating func headContent() -> HeadContent { HeadContent(version: id(), content: content()) }

    mutating func command() -> ReplicaCommand {
        let commands: [ReplicaCommand] = [
            .openContainer(name()),
            .resolve(id(), keep: headContent(), aside: list { $0.headContent() }, seen: ids()),
            .setValue(store: bytes(), key: bytes(), value: maybe { $0.bytes() }),
            .noteRead(id(), id()), .restore(itemState(), list { $0.version() }, swept: ids()),
            .makeCurrent(id(), version(), instead: id()), .place(id()), .noteTold(id(), ids()),
            .lookAtRoots, .setResidence(id(), choice(Residence.self)),
            .confirm(isMeant: bool()),
        ]
        return commands.randomElement(using: &self)!
    }

    mutating func replicaEvent() -> ReplicaEvent {
        let events: [ReplicaEvent] = [
            .seen(list { $0.sighting() }), .listed(folder: id(), entries: list { $0.sighting() }),
            .unlisted(folder: id(), maybe { $0.diskFailure() }),
            .read(readRequest(), readOutcome()), .opened(id()), .written(sighting()),
            .stirred(stamp().identity),
            .installed(number(), jobOutcome()), .fetched(id(), id(), fetchOutcome()),
            .described(id(), id(), maybe { $0.version() }),
            .uploaded(entry: number(), succeeded: bool()), .contentLost(entry: number()),
            .answered(requestAnswer()), .sendFailed,
            .entries(after: position(), list { $0.logEntry() }, head: position()),
            .historyUnknown, .connection(isOpen: bool()), .command(command()), .timer,
            .history(id(), maybe { $0.list { $0.version() } }),
            .loaded(id(), id(), maybe { $0.bytes() }),
            .kept(id(), digest(), maybe { $0.content() }),
            .snapshot(maybe { $0.snapshot() }), .ancestry(list { $0.ancestry() }),
        ]
        return events.randomElement(using: &self)!
    }

    mutating func change() -> ReplicaChange {
        let changes: [ReplicaChange] = [
            .node(id(), maybe { $0.node() }), .alias(id(), of: maybe { $0.id() }),
            .outbox(entry: number(), maybe { $0.outboxEntry() }),
            .register(registerKey(), maybe { $0.register() }), .progress(progress()),
            .content(id(), maybe { $0.bytes() }), .ancestry(ancestry()),
            .ancestryLost(after: number()), .landmark(position(), isKept: bool()),
        ]
        return changes.randomElement(using: &self)!
    }

    mutating func task() -> InstallJob.Task {
        let source: ContentSource = bool() ? .inline(bytes()) : .fetched(id())
        let mode = UInt16.random(in: 0..<512, using: &self)
        let tasks: [InstallJob.Task] = [
            .makeFolder(at: path(), mode: mode),
            .placeFile(at: path(), source, facts(), expected: maybe { $0.stamp() }),
            .placeLink(at: path(), source, facts(), expected: maybe { $0.stamp() }),
            .placePackage(at: path(), source, facts(), expected: maybe { $0.stamp() }),
            .setMode(at: path(), mode, expected: stamp()),
            .remove(at: path(), kind: entryKind(), expected: stamp()),
            .move(from: path(), to: path(), expected: stamp()),
            .park(from: path(), expected: stamp()), .unpark(to: path(), expected: stamp()),
        ]
        return tasks.randomElement(using: &self)!
    }

    mutating func notice() -> ReplicaNotice {
        let reasons: [ReplicaNotice.ValueReason] = [.server, .firstPull, .refused]
        let notices: [ReplicaNotice] = [
            .itemChanged(id()), .itemRemoved(id(), slot()),
            .valueChanged(store: bytes(), key: bytes(), reasons.randomElement(using: &self)!),
            .statusChanged,
        ]
        return notices.randomElement(using: &self)!
    }

    mutating func action() -> ReplicaAction {
        let actions: [ReplicaAction] = [
            .persist(list { $0.change() }), .list(folder: id(), path: path()),
            .unwatch(folder: id()), .look(slot: slot(), path: path()), .read(readRequest()),
            .watchReading(id(), path: path()), .forgetReaders(id()),
            .install(InstallJob(id: number(), item: id(), task: task())),
            .fetch(
                FetchRequest(item: id(), version: id(), facts: facts(), chunks: references())),
            .inquire(id(), id()), .releaseFetched(id()),
            .upload(entry: number(), chunks: references()), .releaseUpload(entry: number()),
            .send(Incarnation(number()), list { $0.operation() }, after: position()),
            .pull(after: position()), .inquireSnapshot(list { $0.position() }),
            .recallAncestry(after: number()),
            .wake(at: Instant(nanoseconds: signed())), .notify(notice()), .inquireHistory(id()),
            .load(id(), id()), .keep(id(), bytes()),
        ]
        return actions.randomElement(using: &self)!
    }

    mutating func origin() -> ReplicaOrigin {
        ReplicaOrigin(
            device: id(), identityKey: bytes(), entropy: number(), moment: moment(),
            rows: list { $0.change() })
    }

    mutating func mergeAnswer() -> MergeAnswer {
        let region = ConflictRegion(base: 1..<3, first: 0..<0, second: 4..<900)
        let results: [TextMergeResult] = [
            .merged(bytes()), .conflict(list { _ in region }), .notText,
        ]
        return MergeAnswer(
            results.randomElement(using: &self)!, suggestion: maybe { $0.bytes() })
    }
}

extension Specimen {
    static let local: [Specimen] = [
        Specimen("ReplicaEvent") { $0.replicaEvent() },
        Specimen("ReplicaAction") { $0.action() },
        Specimen("ReplicaChange") { $0.change() },
        Specimen("ReplicaOrigin") { $0.origin() },
        Specimen("ReplicaInput") { values in
            ReplicaInput(moment: values.moment(), event: values.replicaEvent())
        },
        Specimen("ReplicaOutput") { values in ReplicaOutput(values.list { $0.action() }) },
        Specimen("MergeQuestion") { values in
            MergeQuestion(base: values.bytes(), first: values.bytes(), second: values.bytes())
        },
        Specimen("MergeAnswer") { $0.mergeAnswer() },
    ]
}
