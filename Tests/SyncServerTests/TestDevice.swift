import FoundationEssentials
import SyncCore
import SyncStore
import SyncWire
import Testing

@testable import SyncServer

/// A device that sends operations as a real one does.
struct TestDevice {
    let door: Door
    let joined: JSONBodies.Joined
    let incarnation = Incarnation(UInt64.random(in: 1...UInt64(Int64.max)))
    var last: UInt64 = 0

    /// Joins an account that exists.
    init(
        _ door: Door, account: String = "anna", password: String = "secret", name: String = "laptop"
    )
        throws
    {
        let answer = try TestDevice.join(door, account, password, name)
        #expect(answer.status == 200)
        joined = try answer.json(JSONBodies.Joined.self)
        self.door = door
    }

    static func join(
        _ door: Door, _ account: String, _ password: String, _ device: String
    ) throws -> Answer {
        let body = JSONBodies.Join(account: account, password: password, device: device)
        return try door.send("POST", "/v1/join", body: HTTPBody.json(body))
    }

    func send(_ method: String, _ path: String, body: [UInt8] = []) throws -> Answer {
        try door.send(method, path, token: joined.token, body: body)
    }

    /// The next operation: a new file with this content in the top folder.
    mutating func create(_ name: String, _ content: StoredContent) -> Operation {
        last += 1
        return Operation(number: last, age: 0, body: TestDevice.file(name, content))
    }

    func post(_ operations: [Operation]) throws -> Answer {
        let message = OperationsMessage(
            incarnation: incarnation, operations: operations.map { CarriedOperation($0) })
        return try send("POST", "/v1/sync/operations", body: message.message())
    }

    func outcomes(_ operations: [Operation]) throws -> RequestAnswer {
        let answer = try post(operations)
        #expect(answer.status == 200)
        return try answer.message(OperationsAnswer.self).answer
    }

    func pull(after: Position = .start, limit: UInt64 = 1 << 20) throws -> PullAnswer {
        let body = PullMessage(after: after, limit: limit).message()
        let answer = try send("POST", "/v1/sync/log", body: body)
        #expect(answer.status == 200)
        return try answer.message(PullAnswer.self)
    }

    private static func file(_ name: String, _ content: StoredContent) -> Operation.Body {
        let digest = SHA256.hash(Array(name.utf8))
        let placement = Placement(
            id: PlaceID(SHA256.hash(randomBytes(16))), replaces: nil, folder: .top,
            tag: Tag(digest), name: Array(name.utf8))
        let version = Version(
            id: VersionID(SHA256.hash(randomBytes(16))), parents: [], nature: .edit, facts: [1, 2],
            content: content)
        return .create(
            item: ItemID(SHA256.hash(randomBytes(16))), kind: .file, placement: placement,
            version: version)
    }
}

enum HTTPBody {
    static func json(_ value: some Encodable) throws -> [UInt8] {
        Array(try JSONEncoder().encode(value))
    }
}
