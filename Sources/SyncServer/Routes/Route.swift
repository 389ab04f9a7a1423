import SyncCore
import SyncTransport

/// What a request asks for.
enum Route: Hashable, Sendable {
    case frontPage
    case health
    case metrics
    case join
    case leave
    case account
    case devices
    case renameDevice(DeviceID)
    case revokeDevice(DeviceID)
    case operations
    case log
    case push
    case missingChunks
    case putChunks
    case fetchChunks
    case putChunk(ChunkID)
    case getChunk(ChunkID)
    case version(VersionID)
    case versions(ItemID)
    case trash
    case snapshot

    /// Reads method and path; HEAD is answered like GET, without the body.
    init(_ head: HTTPRequestHead) throws(APIError) {
        let method = head.method == "HEAD" ? "GET" : head.method
        let segments = head.path.split(separator: "/").map(String.init)
        let choices = Route.choices(segments)
        guard !choices.isEmpty else { throw .notFound }
        guard let choice = choices.first(where: { $0.method == method }) else {
            throw .methodNotAllowed(choices.map(\.method).joined(separator: ", "))
        }
        // A stream has no head without a body.
        guard choice.route != .push || head.method == "GET" else { throw .methodNotAllowed("GET") }
        self = choice.route
    }

    private typealias Choice = (method: String, route: Route)

    private static func choices(_ segments: [String]) -> [Choice] {
        switch segments.first {
        case nil: [("GET", .frontPage)]
        case "v1": versionOne(segments.dropFirst())
        case "healthz" where segments.count == 1: [("GET", .health)]
        case "metrics" where segments.count == 1: [("GET", .metrics)]
        default: []
        }
    }

    private static func versionOne(_ segments: ArraySlice<String>) -> [Choice] {
        if segments.first == "sync" { return sync(Array(segments.dropFirst())) }
        if segments.first == "devices", segments.count == 3 {
            return device(Array(segments.dropFirst()))
        }
        guard segments.count == 1 else { return [] }
        switch segments.first {
        case "join": return [("POST", .join)]
        case "leave": return [("POST", .leave)]
        case "account": return [("GET", .account)]
        case "devices": return [("GET", .devices)]
        default: return []
        }
    }

    private static func device(_ segments: [String]) -> [Choice] {
        guard let id = DeviceID(text: segments[0]) else { return [] }
        switch segments[1] {
        case "rename": return [("POST", .renameDevice(id))]
        case "revoke": return [("POST", .revokeDevice(id))]
        default: return []
        }
    }

    private static func sync(_ segments: [String]) -> [Choice] {
        switch (segments.first, segments.count) {
        case ("operations", 1): return [("POST", .operations)]
        case ("log", 1): return [("POST", .log)]
        case ("trash", 1): return [("POST", .trash)]
        case ("snapshot", 1): return [("POST", .snapshot)]
        case ("push", 1): return [("GET", .push)]
        case ("chunks", 1): return [("POST", .putChunks)]
        case ("chunks", 2): return chunk(segments[1])
        case ("versions", 2):
            return VersionID(text: segments[1]).map { [("GET", .version($0))] } ?? []
        case ("items", 3) where segments[2] == "versions":
            return ItemID(text: segments[1]).map { [("GET", .versions($0))] } ?? []
        default: return []
        }
    }

    private static func chunk(_ name: String) -> [Choice] {
        if name == "missing" { return [("POST", .missingChunks)] }
        if name == "fetch" { return [("POST", .fetchChunks)] }
        guard let bytes = decodeHexadecimal(name), let id = ChunkID(bytes: bytes) else { return [] }
        return [("GET", .getChunk(id)), ("PUT", .putChunk(id))]
    }

    /// Bytes that the body may have.
    func bodyLimit(_ limits: ServerLimits) -> Int {
        switch self {
        case .operations, .log, .missingChunks, .fetchChunks, .putChunks, .trash, .snapshot:
            limits.requestBytes
        case .putChunk: limits.chunkBytes
        default: limits.jsonBytes
        }
    }
}
