import SyncCore
import SyncWire

// What goes over the device's socket.
extension RandomValues {
    mutating func call() -> DeviceCall {
        let calls: [DeviceCall] = [
            .status, .wait(milliseconds: number()), .items(path: bytes(), choice(ItemsDepth.self)),
            .content(path: bytes(), version: maybe { $0.id() }, offset: number()), .conflicts,
            .versions(path: bytes()), .noteTold(path: bytes(), ids()),
            .resolve(path: bytes(), keep: id(), both: bool(), among: ids()),
            .value(store: bytes(), key: bytes()),
            .setValue(store: bytes(), key: bytes(), value: maybe { $0.bytes() }),
            .values(store: bytes()), .why(path: bytes()), .openContainer(id: bytes()),
            .noteRead(path: bytes(), version: id()), .watchItems(path: bytes()),
            .watchValues(store: bytes()), .watchStatus, .cancel(request: number()),
            .accountChanged, .trash, .restoreItem(id()),
            .setResidence(path: bytes(), choice(ItemResidence.self)), .keepFree(bytes: number()),
            .limit(up: maybe { $0.number() }, down: maybe { $0.number() }),
            .restoreVersion(path: bytes(), id()), .confirm(isMeant: bool()),
            .find(
                ItemSearch(path: bytes(), condition: bytes(), containers: bytes(), isLive: bool())),
            .unknown(UInt64.random(in: 1000...2000, using: &self)),
        ]
        return calls.randomElement(using: &self)!
    }

    mutating func request() -> DeviceRequest { DeviceRequest(id: number(), call: call()) }

    mutating func stuckRow() -> StuckRow {
        StuckRow(path: bytes(), code: text(), reason: text(), next: maybe { $0.wallTime() })
    }

    mutating func status() -> DeviceStatus {
        DeviceStatus(
            state: choice(DeviceState.self),
            account: maybe {
                DeviceStatus.Account(
                    id: $0.id(), name: $0.text(), device: $0.id(), deviceName: $0.text(),
                    server: $0.text())
            },
            number: number(), outbox: number(), downloads: number(), conflicts: number(),
            stuck: list { $0.stuckRow() }, programVersion: text(), evicted: number(),
            keptFree: number(), limitUp: number(), limitDown: number(),
            returned: number(), setAside: number())
    }

    mutating func itemRow() -> ItemRow {
        ItemRow(
            item: id(), path: bytes(), kind: choice(Kind.self), size: number(),
            modified: fileTime(), state: choice(ItemProgress.self), hasConflicts: bool(),
            version: maybe { $0.id() })
    }

    mutating func versionRow() -> VersionRow {
        VersionRow(
            version: id(), device: maybe { $0.id() }, deviceName: text(), modified: fileTime(),
            accepted: maybe { $0.wallTime() }, size: number(), isCurrent: bool(),
            isConflict: bool(), isDeletion: bool(), isHere: bool(),
            isExpired: bool())
    }

    mutating func trashRow() -> TrashRow {
        TrashRow(
            item: id(), kind: choice(Kind.self), path: bytes(), deleted: wallTime(), device: id(),
            deviceName: text(), isUnplaced: bool())
    }

    mutating func reply() -> DeviceReply {
        let replies: [DeviceReply] = [
            .done, .status(status()),
            .waited(
                WaitReport(isInSync: bool(), number: number(), missing: list { $0.stuckRow() })),
            .items(list { $0.itemRow() }), .trash(list { $0.trashRow() }),
            .content(
                ContentPart(bytes: bytes(300), size: number(), version: maybe { $0.id() })),
            .conflicts(
                list { values in
                    ConflictRow(
                        path: values.bytes(), item: values.id(),
                        heads: values.list { $0.versionRow() })
                }),
            .versions(list { $0.versionRow() }), .value(maybe { $0.bytes() }),
            .values(list { KeyValueRow(key: $0.bytes(), value: $0.bytes()) }),
            .explanation(
                Explanation(
                    path: bytes(), code: text(), sentences: list { $0.text() },
                    item: maybe { $0.itemRow() }, next: maybe { $0.wallTime() })),
            .folder(bytes()),
            .found(FoundItems(rows: list { $0.itemRow() }, visited: number())),
        ]
        return replies.randomElement(using: &self)!
    }

    mutating func event() -> DeviceEvent {
        switch Int.random(in: 0..<4, using: &self) {
        case 0:
            .items(
                changed: list { $0.itemRow() },
                removed: list { RemovedItem(item: $0.id(), path: $0.bytes()) })
        case 1:
            .values(
                store: bytes(), keys: list { $0.bytes() }, choice(ValueChangeReason.self))
        case 2:
            .found(
                FoundChanges(
                    added: list { $0.itemRow() }, changed: list { $0.itemRow() },
                    left: list { $0.itemRow() },
                    removed: list { RemovedItem(item: $0.id(), path: $0.bytes()) }))
        default: .status(status())
        }
    }

    mutating func message() -> DeviceMessage {
        let bodies: [DeviceMessage.Body] = [
            .reply(reply()), .part(reply()), .event(event()),
            .failure(DeviceFailure(choice(DeviceFailure.Code.self), text())),
        ]
        return DeviceMessage(request: number(), body: bodies.randomElement(using: &self)!)
    }
}
