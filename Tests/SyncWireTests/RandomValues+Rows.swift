import SyncCore
import SyncWire

// The device's rows.
extension RandomValues {
    mutating func name() -> Name {
        while true {
            if let name = Name(bytes(255)) { return name }
        }
    }

    mutating func stamp() -> FileStamp {
        FileStamp(
            identity: FileIdentity(device: number(), inode: number(), birth: fileTime()),
            size: number(), mode: UInt16.random(in: 0..<512, using: &self),
            modified: fileTime(), changed: fileTime(),
            links: UInt32(truncatingIfNeeded: number()), isRacy: bool())
    }

    mutating func base() -> BaseState {
        BaseState(
            slot: Slot(folder: id(), name: name()), placement: id(), version: id(),
            facts: facts(), stamp: stamp(), lastRead: maybe { $0.id() }, isParked: bool(),
            isAside: bool(), placeholder: maybe { $0.digest() })
    }

    mutating func knownVersion() -> KnownVersion {
        KnownVersion(
            id: id(), parents: ids(), facts: facts(), chunks: references(),
            author: maybe { $0.id() }, moment: maybe { $0.wallTime() })
    }

    mutating func node() -> NodeRecord {
        NodeRecord(
            kind: choice(Kind.self), remote: maybe { $0.itemState() },
            versions: list { $0.knownVersion() }, base: maybe { $0.base() },
            installing: maybe { $0.id() }, conflict: ids(), heldWhenEmptied: maybe { $0.number() },
            loss: maybe {
                Loss(versions: $0.ids(), placement: $0.placement(), entry: $0.number())
            }, hasReturned: bool(), residence: choice(Residence.self), lost: maybe { $0.id() })
    }

    mutating func ancestry() -> Ancestry {
        Ancestry(child: id(), parents: ids(), number: number())
    }

    mutating func snapshot() -> AccountSnapshot {
        AccountSnapshot(
            position: position(), common: position(), items: list { $0.itemState() },
            aliases: list { ItemAlias(item: $0.id(), holder: $0.id()) },
            registers: list { $0.registerState() })
    }

    mutating func outboxEntry() -> OutboxEntry {
        OutboxEntry(
            body: body(), made: wallTime(), number: maybe { $0.number() }, isUploaded: bool(),
            accepted: maybe { $0.number() }, awaitsConfirmation: bool(), restsOn: maybe { $0.id() },
            wasSent: bool())
    }

    mutating func register() -> RegisterRecord {
        RegisterRecord(
            store: bytes(), key: bytes(), remote: maybe { $0.registerState() },
            pending: maybe {
                RegisterRecord.PendingWrite(
                    id: $0.id(), value: $0.maybe { $0.bytes() }, entry: $0.number())
            },
            refusal: maybe { $0.refusal() })
    }

    mutating func progress() -> ReplicaProgress {
        ReplicaProgress(
            incarnation: Incarnation(number()), lastNumber: number(), lastEntry: number(),
            cursor: position(), hasPulled: bool(), installed: number())
    }
}

// What goes between server and device.
extension RandomValues {
    mutating func requestAnswer() -> RequestAnswer {
        switch Int.random(in: 0..<4, using: &self) {
        case 0: .outcomes(list { $0.outcome() })
        case 1: .numberGap(last: number())
        case 2: .historyUnknown
        default: .otherIncarnationNeeded
        }
    }

    mutating func operations() -> OperationsMessage {
        OperationsMessage(
            incarnation: Incarnation(number()),
            operations: list { CarriedOperation($0.operation()) },
            installed: maybe { $0.number() }, cursor: maybe { $0.position() })
    }

    mutating func trashedItem() -> TrashedItem {
        TrashedItem(state: itemState(), author: id(), moment: wallTime())
    }

    mutating func push() -> PushMessage {
        PushMessage(after: position(), entries: list { $0.logEntry() }, head: position())
    }

    mutating func pullAnswer() -> PullAnswer {
        bool()
            ? .entries(after: position(), list { $0.logEntry() }, head: position())
            : .historyUnknown
    }

    mutating func versionMessage() -> VersionMessage {
        VersionMessage(
            version: version(), item: id(), number: number(), author: id(), moment: wallTime(),
            isCollected: bool())
    }
}
