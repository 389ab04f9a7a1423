import SyncCore
import SyncStore
import SyncTransport
import SyncWire
import Testing

@testable import SyncServer

/// What requests are answered with, by the application alone and through sockets.
@Suite struct RequestTests {
    let cloud: TestCloud

    init() throws {
        cloud = try TestCloud()
        try cloud.addAccount("anna", password: "secret")
        try cloud.addAccount("ben", password: "other")
    }

    @Test(arguments: Depth.allCases)
    func saysThatItIsThere(_ depth: Depth) throws {
        let door = Door(cloud: cloud, depth: depth)
        let health = try door.send("GET", "/healthz")
        #expect(health.status == 200)
        #expect(try health.json(JSONBodies.Health.self).status == "ok")
        let page = try door.send("GET", "/")
        #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(String(decoding: page.body, as: UTF8.self).contains("<h1>Ubiquity</h1>"))
        let metrics = try door.send("GET", "/metrics")
        #expect(String(decoding: metrics.body, as: UTF8.self).contains("ubiquity_commits_total"))
    }

    @Test(arguments: Depth.allCases)
    func joins(_ depth: Depth) throws {
        let door = Door(cloud: cloud, depth: depth)
        let first = try TestDevice(door, name: "laptop")
        let second = try TestDevice(door, name: "desk")
        #expect(first.joined.account == second.joined.account)
        #expect(first.joined.identityKey == second.joined.identityKey)
        #expect(first.joined.identityKey.count == 64)
        #expect(first.joined.token != second.joined.token)
        let account = try first.send("GET", "/v1/account").json(JSONBodies.Account.self)
        #expect(account.accountName == "anna" && account.deviceName == "laptop")
        #expect(account.number == 0)
        let devices = try first.send("GET", "/v1/devices").json(JSONBodies.Devices.self)
        #expect(Set(devices.devices.map(\.name)) == ["laptop", "desk"])
        #expect(devices.devices.allSatisfy { !$0.revoked })
    }

    @Test(arguments: Depth.allCases)
    func saysTheSameOfAWrongPasswordAndAnUnknownAccount(_ depth: Depth) throws {
        let door = Door(cloud: cloud, depth: depth)
        let wrong = try TestDevice.join(door, "anna", "guess", "laptop")
        let unknown = try TestDevice.join(door, "nobody", "guess", "laptop")
        #expect(wrong.status == 401 && wrong.code == "credentials")
        #expect(unknown.status == 401 && unknown.body == wrong.body)
        let nameless = try TestDevice.join(door, "anna", "secret", " ")
        #expect(nameless.status == 400)
    }

    @Test(arguments: Depth.allCases)
    func makesWrongPasswordsWait(_ depth: Depth) throws {
        let door = Door(cloud: cloud, depth: depth)
        for _ in 0..<TestCloud.limits.wrongPasswords.burst {
            #expect(try TestDevice.join(door, "anna", "guess", "laptop").status == 401)
        }
        let next = try TestDevice.join(door, "anna", "secret", "laptop")
        #expect(next.status == 429 && next.headers["Retry-After"] != nil)
        #expect(try TestDevice.join(door, "ben", "other", "laptop").status == 200)
    }

    @Test(arguments: Depth.allCases)
    func commitsOperationsAndAnswersThemAgain(_ depth: Depth) throws {
        var device = try TestDevice(Door(cloud: cloud, depth: depth))
        let operations = [device.create("a", .inline([1])), device.create("b", .inline([2]))]
        let outcomes: RequestAnswer = .outcomes([.accepted(number: 1), .accepted(number: 2)])
        #expect(try device.outcomes(operations) == outcomes)
        #expect(try device.outcomes(operations) == outcomes)
        device.last += 1
        let beyond = device.create("c", .inline([3]))
        #expect(try device.outcomes([beyond]) == .numberGap(last: 2))
        let account = try device.send("GET", "/v1/account").json(JSONBodies.Account.self)
        #expect(account.number == 2)
    }

    @Test(arguments: Depth.allCases)
    func givesTheLogToOthersWithContentAndToItsAuthorWithout(_ depth: Depth) throws {
        let door = Door(cloud: cloud, depth: depth)
        var author = try TestDevice(door, name: "laptop")
        let reader = try TestDevice(door, name: "desk")
        let operations = [author.create("a", .inline([7, 7])), author.create("b", .inline([8]))]
        _ = try author.outcomes(operations)
        let pulled = try #require(Pulled(try reader.pull()))
        #expect(pulled.after == .start && pulled.entries.count == 2)
        #expect(pulled.contents == [.inline([7, 7]), .inline([8])])
        #expect(pulled.head == pulled.entries.last?.position)
        #expect(Pulled(try author.pull())?.contents == [StoredContent.none, .none])
        let rest = try #require(Pulled(try reader.pull(after: pulled.entries[0].position)))
        #expect(rest.entries == Array(pulled.entries.dropFirst()))
        let small = try #require(Pulled(try reader.pull(limit: 1)))
        #expect(small.entries.count == 1 && small.head == pulled.head)
        let foreign = Position(number: 1, digest: SHA256.hash([9]))
        #expect(try reader.pull(after: foreign) == .historyUnknown)
    }

    @Test(arguments: Depth.allCases)
    func givesVersions(_ depth: Depth) throws {
        var device = try TestDevice(Door(cloud: cloud, depth: depth))
        let operation = device.create("a", .inline([1, 2, 3]))
        _ = try device.outcomes([operation])
        guard case .create(let item, _, _, let version) = operation.body else { return }
        let stored = try device.send("GET", "/v1/sync/versions/\(version.id.text)")
        let message = try stored.message(VersionMessage.self)
        #expect(message.version.content == .inline([1, 2, 3]))
        #expect(message.item == item && message.number == 1)
        #expect(message.author.text == device.joined.device)
        let list = try device.send("GET", "/v1/sync/items/\(item.text)/versions")
        let versions = try list.message(VersionList.self).versions
        #expect(versions.map(\.version.id) == [version.id])
        #expect(versions.map(\.version.content) == [StoredContent.none])
        let unknown = VersionID(high: 1, low: 1).text
        #expect(try device.send("GET", "/v1/sync/versions/\(unknown)").status == 404)
    }

    @Test(arguments: Depth.allCases)
    func storesChunksOnceTheyHaveTheirHash(_ depth: Depth) throws {
        let door = Door(cloud: cloud, depth: depth)
        var device = try TestDevice(door)
        let bytes = randomBytes(1024 * 1024)
        let id = SHA256.hash(bytes)
        let path = "/v1/sync/chunks/\(id.text)"
        let wrong = try device.send("PUT", path, body: [1])
        #expect(wrong.status == 400 && wrong.code == "hash")
        let operation = device.create("a", .chunks([ChunkReference(id: id, size: 1_048_576)]))
        #expect(try device.outcomes([operation]) == .outcomes([.refused(.chunksMissing)]))
        #expect(try missing([id], device) == [id])
        #expect(try device.send("GET", path).status == 404)

        #expect(try device.send("PUT", path, body: bytes).status == 204)
        #expect(try device.send("PUT", path, body: bytes).status == 204)
        #expect(try missing([id, SHA256.hash([2])], device) == [SHA256.hash([2])])
        #expect(try device.send("GET", path).body == bytes)
        let again = device.create("a", .chunks([ChunkReference(id: id, size: 1_048_576)]))
        #expect(try device.outcomes([again]) == .outcomes([.accepted(number: 1)]))

        let stranger = try TestDevice(door, account: "ben", password: "other")
        #expect(try stranger.send("GET", path).status == 404)
        #expect(try missing([id], stranger) == [id])
    }

    @Test(arguments: Depth.allCases)
    func refusesWhatItCannotRead(_ depth: Depth) throws {
        let door = Door(cloud: cloud, depth: depth)
        var device = try TestDevice(door)
        let garbage = try device.send("POST", "/v1/sync/operations", body: [1, 255, 255])
        #expect(garbage.status == 400 && garbage.code == "malformed")
        #expect(try device.send("POST", "/v1/sync/log", body: []).status == 400)
        #expect(try door.send("POST", "/v1/join", body: Array("{".utf8)).status == 400)
        let many = (0...1024).map { _ in device.create("a", .none) }
        #expect(try device.post(many).status == 413)
        #expect(try device.send("GET", "/v1/nothing").status == 404)
        #expect(try device.send("DELETE", "/v1/account").status == 405)
        #expect(try device.send("GET", "/v1/sync/chunks/zz").status == 404)
    }

    @Test func refusesLongContentsThatAreInNoChunks() throws {
        var device = try TestDevice(Door(cloud: cloud, depth: .application))
        let longest = device.create("a", .inline([UInt8](repeating: 1, count: 65_536)))
        #expect(try device.outcomes([longest]) == .outcomes([.accepted(number: 1)]))
        let longer = device.create("b", .inline([UInt8](repeating: 1, count: 65_537)))
        #expect(try device.post([longer]).status == 400)
    }

    @Test func refusesBodiesThatAreTooLarge() throws {
        let device = try TestDevice(Door(cloud: cloud, depth: .loopback))
        let body = [UInt8](repeating: 0, count: 4 * 1024 * 1024 + 1)
        #expect(try device.send("POST", "/v1/sync/operations", body: body).status == 413)
        let chunk = [UInt8](repeating: 0, count: 1024 * 1024 + 1)
        let path = "/v1/sync/chunks/\(SHA256.hash(chunk).text)"
        #expect(try device.send("PUT", path, body: chunk).status == 413)
    }

    @Test(arguments: Depth.allCases)
    func refusesTokensThatAreUnknownOrRevoked(_ depth: Depth) throws {
        let door = Door(cloud: cloud, depth: depth)
        #expect(try door.send("GET", "/v1/account").status == 401)
        let stranger = String(repeating: "0", count: 64)
        let unknown = try door.send("GET", "/v1/account", token: stranger)
        #expect(unknown.status == 401 && unknown.code == "token")
        var device = try TestDevice(door)
        #expect(try device.send("POST", "/v1/leave").status == 204)
        #expect(try device.send("GET", "/v1/account").code == "revoked")
        let refused = try device.post([device.create("a", .none)])
        #expect(refused.status == 401 && refused.code == "revoked")
    }

    @Test func keepsEverythingWhenItIsStartedAgain() throws {
        let door = Door(cloud: cloud, depth: .loopback)
        var device = try TestDevice(door)
        let operation = device.create("a", .inline([5]))
        let outcome = try device.outcomes([operation])
        let log = try device.pull()
        try cloud.restart()
        #expect(try device.outcomes([operation]) == outcome)
        #expect(try device.pull() == log)
    }

    private func missing(_ chunks: [ChunkID], _ device: TestDevice) throws -> [ChunkID] {
        let answer = try device.send(
            "POST", "/v1/sync/chunks/missing", body: ChunkList(chunks).message())
        return try answer.message(ChunkList.self).chunks
    }
}

/// A stretch of the log that was pulled or pushed.
struct Pulled {
    let after: Position
    let entries: [LogEntry]
    let head: Position

    init?(_ answer: PullAnswer) {
        guard case .entries(let after, let entries, let head) = answer else { return nil }
        self.after = after
        self.entries = entries
        self.head = head
    }

    var contents: [StoredContent] { entries.flatMap(\.contents) }
}

extension LogEntry {
    var contents: [StoredContent] {
        effects.compactMap { effect in
            guard case .item(_, let version?) = effect else { return nil }
            return version.content
        }
    }
}
