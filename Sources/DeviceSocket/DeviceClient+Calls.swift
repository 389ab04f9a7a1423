package import SyncWire

/// What an answer that needs no waiting for others is waited for.
private let usual = Duration.seconds(30)
/// What the daemon may have to ask the server for, which it gives up before.
private let patient = Duration.seconds(90)

// One function a call, for programs that want values and not replies.
extension DeviceClient {
    package func status() throws(DeviceClientError) -> DeviceStatus {
        guard case .status(let status) = try call(.status, timeout: usual) else {
            throw .otherReply
        }
        return status
    }

    /// Waits some seconds longer than the daemon does.
    package func wait(milliseconds: UInt64) throws(DeviceClientError) -> WaitReport {
        let longest = Int64(min(milliseconds, 1_000_000_000_000))
        let timeout = Duration.milliseconds(longest) + .seconds(10)
        guard
            case .waited(let report) = try call(
                .wait(milliseconds: milliseconds), timeout: timeout)
        else { throw .otherReply }
        return report
    }

    package func items(
        path: [UInt8], _ depth: ItemsDepth
    ) throws(DeviceClientError) -> [ItemRow] {
        var rows: [ItemRow] = []
        let last = try call(.items(path: path, depth), timeout: usual) { reply in
            if case .items(let some) = reply { rows += some }
        }
        guard case .items(let some) = last else { throw .otherReply }
        return rows + some
    }

    /// Hands out the content stretch by stretch; the closure returns false to stop.
    package func content(
        path: [UInt8], version: ContentPart.VersionID?, take: ([UInt8]) -> Bool
    ) throws(DeviceClientError) {
        var version = version
        var offset: UInt64 = 0
        while true {
            let reply = try call(
                .content(path: path, version: version, offset: offset), timeout: patient)
            guard case .content(let part) = reply else { throw .otherReply }
            offset += UInt64(part.bytes.count)
            version = version ?? part.version
            guard take(part.bytes), !part.bytes.isEmpty, offset < part.size else { return }
        }
    }

    package func conflicts() throws(DeviceClientError) -> [ConflictRow] {
        guard case .conflicts(let rows) = try call(.conflicts, timeout: patient) else {
            throw .otherReply
        }
        return rows
    }

    package func versions(path: [UInt8]) throws(DeviceClientError) -> [VersionRow] {
        guard case .versions(let rows) = try call(.versions(path: path), timeout: patient) else {
            throw .otherReply
        }
        return rows
    }

    /// A person has these versions before their eyes: what it chooses next is chosen among them.
    ///
    /// If the daemon does not hear it, it refuses such a choice, and tells of them itself.
    package func noteTold(_ path: [UInt8], _ versions: [ContentPart.VersionID]) {
        _ = try? call(.noteTold(path: path, versions), timeout: usual)
    }

    package func trash() throws(DeviceClientError) -> [TrashRow] {
        var rows: [TrashRow] = []
        let last = try call(.trash, timeout: patient) { reply in
            if case .trash(let some) = reply { rows += some }
        }
        guard case .trash(let some) = last else { throw .otherReply }
        return rows + some
    }

    package func why(path: [UInt8]) throws(DeviceClientError) -> Explanation {
        guard case .explanation(let explanation) = try call(.why(path: path), timeout: usual)
        else { throw .otherReply }
        return explanation
    }

    /// What a search finds now; the search must not be live.
    package func find(_ search: ItemSearch) throws(DeviceClientError) -> FoundItems {
        var rows: [ItemRow] = []
        let last = try call(.find(search), timeout: usual) { reply in
            if case .items(let some) = reply { rows += some }
        }
        guard case .found(let found) = last else { throw .otherReply }
        return FoundItems(rows: rows + found.rows, visited: found.visited)
    }

    /// The container's folder, an absolute path.
    package func openContainer(_ id: [UInt8]) throws(DeviceClientError) -> [UInt8] {
        guard case .folder(let path) = try call(.openContainer(id: id), timeout: usual) else {
            throw .otherReply
        }
        return path
    }

    /// A call that is answered with ``DeviceReply/done``.
    package func perform(_ call: DeviceCall) throws(DeviceClientError) {
        guard case .done = try self.call(call, timeout: usual) else { throw .otherReply }
    }
}

extension DeviceClient {
    /// As ``perform(_:)``, for what moves much to the disk.
    package func performLong(_ call: DeviceCall) throws(DeviceClientError) {
        guard case .done = try self.call(call, timeout: .seconds(600)) else { throw .otherReply }
    }
}

// MARK: Key-values

extension DeviceClient {
    /// Nil if the store does not have the key.
    package func value(
        store: [UInt8], key: [UInt8]
    ) throws(DeviceClientError) -> [UInt8]? {
        guard case .value(let value) = try call(.value(store: store, key: key), timeout: usual)
        else { throw .otherReply }
        return value
    }

    /// Nil removes the key.
    package func setValue(
        store: [UInt8], key: [UInt8], value: [UInt8]?
    ) throws(DeviceClientError) {
        try perform(.setValue(store: store, key: key, value: value))
    }

    package func values(store: [UInt8]) throws(DeviceClientError) -> [KeyValueRow] {
        var rows: [KeyValueRow] = []
        let last = try call(.values(store: store), timeout: usual) { reply in
            if case .values(let some) = reply { rows += some }
        }
        guard case .values(let some) = last else { throw .otherReply }
        return rows + some
    }
}

extension DeviceClientError {
    /// The answer belongs to another call.
    fileprivate static var otherReply: DeviceClientError {
        .unreadable(WireError(offset: 0, problem: .unknownCase(field: 0)))
    }
}
