import SyncCore
import SyncTransport
import SyncWire

// What commands print, in the shapes that scripts rely on.

extension JSONValue {
    /// The members that show a path, which may be no UTF-8.
    static func path(_ bytes: [UInt8]) -> [(String, JSONValue)] {
        let path = ("path", JSONValue.text(String(decoding: bytes, as: UTF8.self)))
        guard String(validating: bytes, as: UTF8.self) == nil else { return [path] }
        return [path, ("pathBytes", base64(bytes))]
    }

    static func base64(_ bytes: [UInt8]) -> JSONValue {
        .text(String(decoding: Base64.encode(bytes), as: UTF8.self))
    }

    static func time(_ time: WallTime?) -> JSONValue { .text(time.map { ISOTime.text($0) }) }

    static func items(_ rows: [ItemRow], in home: CommandHome) -> JSONValue {
        .object([("items", .list(rows.map { item($0, in: home) }))])
    }

    static func item(_ row: ItemRow, in home: CommandHome) -> JSONValue {
        .object(
            path(home.absolute(row.path)) + [
                ("item", .text(row.item.text)),
                ("kind", .text(row.kind.word)),
                ("size", .integer(row.size)),
                ("modified", .text(ISOTime.text(row.modified))),
                ("state", .text(row.state.text)),
                ("conflicts", .bool(row.hasConflicts)),
                ("version", .text(row.version?.text)),
            ])
    }

    static func stuck(_ row: StuckRow, in home: CommandHome) -> JSONValue {
        .object(
            path(home.absolute(row.path)) + [
                ("code", .text(row.code)),
                ("reason", .text(row.reason)),
                ("next", time(row.next)),
            ])
    }

    static func status(_ status: DeviceStatus, in home: CommandHome) -> JSONValue {
        .object([
            ("state", .text(status.state.text)),
            ("account", .text(status.account?.name)),
            ("device", .text(status.account?.deviceName)),
            ("server", .text(status.account?.server)),
            ("number", .integer(status.number)),
            ("outbox", .integer(status.outbox)),
            ("downloads", .integer(status.downloads)),
            ("conflicts", .integer(status.conflicts)),
            ("evicted", .integer(status.evicted)),
            ("keepFree", .integer(status.keptFree)),
            ("returned", .integer(status.returned)),
            ("setAside", .integer(status.setAside)),
            ("limitUp", .integer(status.limitUp)),
            ("limitDown", .integer(status.limitDown)),
            ("stuck", .list(status.stuck.map { stuck($0, in: home) })),
            ("version", .text(status.programVersion)),
        ])
    }

    static func wait(_ report: WaitReport, in home: CommandHome) -> JSONValue {
        .object([
            ("inSync", .bool(report.isInSync)),
            ("number", .integer(report.number)),
            ("missing", .list(report.missing.map { stuck($0, in: home) })),
        ])
    }

    static func conflicts(_ rows: [ConflictRow], in home: CommandHome) -> JSONValue {
        let conflicts = rows.map { row in
            JSONValue.object(
                path(home.absolute(row.path)) + [
                    ("item", .text(row.item.text)),
                    ("heads", .list(row.heads.map(head))),
                ])
        }
        return .object([("conflicts", .list(conflicts))])
    }

    private static func head(_ row: VersionRow) -> JSONValue {
        .object(
            facts(row) + [("shown", .bool(row.isCurrent)), ("deleted", .bool(row.isDeletion))])
    }

    static func versions(
        _ rows: [VersionRow], of path: [UInt8], in home: CommandHome
    ) -> JSONValue {
        let versions = rows.map { row in
            JSONValue.object(
                facts(row) + [
                    ("current", .bool(row.isCurrent)),
                    ("conflict", .bool(row.isConflict)),
                    ("deleted", .bool(row.isDeletion)),
                    ("here", .bool(row.isHere)),
                    ("expired", .bool(row.isExpired)),
                ])
        }
        return .object(JSONValue.path(home.absolute(path)) + [("versions", .list(versions))])
    }

    static func trash(_ rows: [TrashRow], in home: CommandHome) -> JSONValue {
        let items = rows.map { row in
            JSONValue.object(
                [("item", .text(row.item.text))] + path(home.absolute(row.path)) + [
                    ("kind", .text(row.kind.word)),
                    ("deleted", time(row.deleted)),
                    ("device", .text(row.deviceName)),
                    ("unplaced", .bool(row.isUnplaced)),
                ])
        }
        return .object([("items", .list(items))])
    }

    private static func facts(_ row: VersionRow) -> [(String, JSONValue)] {
        [
            ("version", .text(row.version.text)),
            ("device", .text(row.shownDevice)),
            ("time", .text(row.shownTime)),
            ("accepted", time(row.accepted)),
            ("size", .integer(row.size)),
        ]
    }

    static func explanation(_ explanation: Explanation, in home: CommandHome) -> JSONValue {
        .object(
            path(home.absolute(explanation.path)) + [
                ("code", .text(explanation.code)),
                ("sentences", .list(explanation.sentences.map { .text($0) })),
                ("item", explanation.item.map { item($0, in: home) } ?? .null),
                ("next", time(explanation.next)),
            ])
    }
}

extension VersionRow {
    /// The name of the device, its id while the name is not known here; nil while neither is.
    var shownDevice: String? { deviceName.isEmpty ? device?.text : deviceName }

    /// When it was saved; a deletion was not saved, and has the time of its acceptance.
    var shownTime: String? {
        isDeletion ? accepted.map { ISOTime.text($0) } : ISOTime.text(modified)
    }
}

extension Kind {
    /// As `ls` prints it.
    var word: String {
        switch self {
        case .file: "file"
        case .folder: "folder"
        case .package: "package"
        case .link: "link"
        }
    }
}
