import SyncCore
import SyncStore
import Testing

/// Accounts, devices and transactions of many accounts.
@Suite struct ServerDatabaseTests {
    private let folder = TemporaryFolder()
    private let database: ServerDatabase
    private let anna = AccountRecord(
        id: id(1), name: "Ánna", password: "$argon2id$...", identityKey: [1, 2],
        created: WallTime(milliseconds: 7))
    private let ben = AccountRecord(id: id(2), name: "ben", password: "", identityKey: [])

    init() throws {
        database = try ServerDatabase(folder: folder.path)
        try database.transaction { database throws(StoreError) in
            try database.addAccount(anna)
            try database.addAccount(ben)
        }
    }

    @Test func keepsAccounts() throws {
        let later = try ServerDatabase(folder: folder.path)
        #expect(try later.account(named: "Ánna") == anna)
        #expect(try later.accountRecord(ben.id) == ben)
        #expect(try later.account(named: "anna") == nil)
        #expect(try later.accountNames() == ["ben", "Ánna"])
        try later.transaction { later throws(StoreError) in
            try later.setPassword("new", of: ben.id)
            try later.setQuota(1000, of: ben.id)
        }
        #expect(try database.account(named: "ben")?.password == "new")
        #expect(try database.quota(of: ben.id) == 1000)
        #expect(try database.quota(of: anna.id) == nil)
    }

    @Test func refusesASecondAccountOfAName() throws {
        #expect(throws: StoreError.self) {
            try database.transaction { database throws(StoreError) in
                var other = ben
                other.id = id(3)
                try database.addAccount(other)
            }
        }
        #expect(try database.accountNames().count == 2)
    }

    @Test func knowsDevicesByTheirTokens() throws {
        try database.transaction { database throws(StoreError) in
            try database.addDevice(
                alice, of: anna.id, name: "laptop", token: digest(1), now: anna.created)
            try database.addDevice(
                bob, of: anna.id, name: "phone", token: digest(2), now: anna.created)
        }
        var expected = Session(
            account: anna.id, accountName: "Ánna", device: alice, deviceName: "laptop",
            lastContact: anna.created, isRevoked: false)
        #expect(try database.session(digest(1)) == expected)
        #expect(try database.session(digest(3)) == nil)
        try database.transaction { database throws(StoreError) in
            try database.revoke(alice, of: anna.id)
            try database.rename(alice, of: anna.id, to: "old laptop")
            try database.noteContact(alice, of: anna.id, at: WallTime(milliseconds: 99))
            try database.noteContact(alice, of: anna.id, at: WallTime(milliseconds: 50))
        }
        expected.isRevoked = true
        expected.deviceName = "old laptop"
        expected.lastContact = WallTime(milliseconds: 99)
        #expect(try database.session(digest(1)) == expected)
        #expect(try database.session(digest(2))?.isRevoked == false)
        let devices = try database.devices(of: anna.id)
        #expect(devices.map(\.name) == ["old laptop", "phone"])
        #expect(devices.map(\.isRevoked) == [true, false])
        #expect(try database.devices(of: ben.id) == [])
    }

    @Test func keepsAccountsApart() throws {
        let version = Sample.version(8, content: .inline([1]))
        let state = Sample.state(id(1), tag: 1, heads: [version.id])
        try database.transaction { database throws(StoreError) in
            try database.account(anna.id).apply(Sample.accepted(1, state, version))
            try database.account(anna.id).addChunk(digest(1), size: 1)
        }
        let other = database.account(ben.id)
        #expect(try other.position() == .start)
        #expect(try other.item(id(1)) == nil)
        #expect(try other.storedVersion(version.id) == nil)
        #expect(try other.entries(after: 0, limit: .max, to: nil) == [])
        #expect(try !other.hasChunk(digest(1)))
        #expect(try other.usage() == Usage())
    }

    @Test func removesAnAccountWithAllThatIsInIt() throws {
        let version = Sample.version(8, content: .inline([1]))
        let state = Sample.state(id(1), tag: 1, heads: [version.id])
        try database.transaction { database throws(StoreError) in
            try database.addDevice(
                alice, of: anna.id, name: "laptop", token: digest(1), now: anna.created)
            for account in [anna.id, ben.id] {
                try database.account(account).apply(Sample.accepted(1, state, version))
            }
        }
        try database.transaction { database throws(StoreError) in
            try database.removeAccount(anna.id)
        }
        #expect(try database.accountNames() == ["ben"])
        #expect(try database.session(digest(1)) == nil)
        #expect(try database.account(anna.id).position() == .start)
        #expect(try database.account(anna.id).item(id(1)) == nil)
        #expect(try database.account(ben.id).item(id(1)) == state)
        #expect(throws: StoreError.self) {
            try database.transaction { database throws(StoreError) in
                try database.account(anna.id).apply(Sample.accepted(1, state, version))
            }
        }
        // Its number is not given to another account, whatever a connection remembers.
        try database.transaction { database throws(StoreError) in try database.addAccount(anna) }
        #expect(try database.account(anna.id).position() == .start)
    }

    @Test func undoesOneRequestOfAGroup() throws {
        let version = Sample.version(8)
        let state = Sample.state(id(1), tag: 1, heads: [version.id])
        try database.transaction { database throws(StoreError) in
            try database.savepoint { database throws(StoreError) in
                try database.account(anna.id).apply(Sample.accepted(1, state, version))
            }
            do throws(StoreError) {
                try database.savepoint { database throws(StoreError) in
                    try database.account(ben.id).apply(Sample.accepted(1, state, version))
                    throw .busy
                }
            } catch {
                #expect(error == .busy)
            }
        }
        #expect(try database.account(anna.id).position().number == 1)
        #expect(try database.account(ben.id).position() == .start)
    }

    @Test func writesNothingOutsideOfATransaction() throws {
        let version = Sample.version(8)
        let state = Sample.state(id(1), tag: 1, heads: [version.id])
        let account = database.account(anna.id)
        #expect(throws: StoreError.self) { try account.apply(Sample.accepted(1, state, version)) }
        #expect(throws: StoreError.self) { try account.addChunk(digest(1), size: 1) }
        #expect(throws: StoreError.self) {
            try database.savepoint { database throws(StoreError) in }
        }
        #expect(try account.position() == .start)
    }

    @Test func readsWhileAnotherConnectionWrites() throws {
        let reader = try ServerDatabase(folder: folder.path)
        let version = Sample.version(8)
        let state = Sample.state(id(1), tag: 1, heads: [version.id])
        try database.transaction { database throws(StoreError) in
            try database.account(anna.id).apply(Sample.accepted(1, state, version))
            #expect(try reader.account(anna.id).position() == .start)
        }
        #expect(try reader.account(anna.id).position().number == 1)
    }

    @Test func copiesItself() throws {
        let copy = TemporaryFolder()
        try database.snapshot(to: "\(copy.path)/server.db")
        #expect(copy.names == ["server.db"])
        #expect(try ServerDatabase(folder: copy.path).accountNames() == ["ben", "Ánna"])
        #expect(try database.check() == [])
    }
}
