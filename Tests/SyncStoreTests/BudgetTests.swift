import SyncCore
import SyncStore
import Testing

/// What a change costs, in numbers that do not move with the machine's load.
@Suite struct BudgetTests {
    private let folder = TemporaryFolder()

    /// Entry, version, item and answer; once a request the account's key, the incarnation and the
    /// sum; once a commit its begin and end.
    @Test func acceptedEditsAreFourStatementsEach() throws {
        let database = try ServerDatabase(folder: folder.path)
        try database.transaction { database throws(StoreError) in
            try database.addAccount(
                AccountRecord(id: id(1), name: "anna", password: "", identityKey: []))
        }
        try accept(1...1, in: database)
        #expect(try statements(of: database) { try accept(2...2, in: database) } == 9)
        #expect(try statements(of: database) { try accept(3...102, in: database) } == 405)
    }

    /// For the version; and once a pull the account's key and the entries themselves.
    @Test func pulledEntriesAreOneStatementEach() throws {
        let database = try ServerDatabase(folder: folder.path)
        try database.transaction { database throws(StoreError) in
            try database.addAccount(
                AccountRecord(id: id(1), name: "anna", password: "", identityKey: []))
        }
        try accept(1...100, in: database)
        let store = database.account(id(1))
        let read = try statements(of: database) {
            let entries = try store.entries(after: 0, limit: .max, to: nil)
            #expect(entries.count == 100)
        }
        #expect(read == 102)
    }

    @Test func deviceChangesAreOneStatementEach() throws {
        let store = try SQLiteDeviceStore(folder: folder.path)
        let before = store.statementCount
        try store.commit((1...50).map { .node(id($0), Sample.node(id($0), version: id(1))) })
        #expect(store.statementCount - before == 52)
    }

    private func accept(_ numbers: ClosedRange<UInt64>, in database: ServerDatabase) throws {
        try database.transaction { database throws(StoreError) in
            try database.account(id(1)).apply(
                numbers.flatMap { number in
                    let version = Sample.version(number, content: .inline([1]))
                    let state = Sample.state(id(1), tag: 1, heads: [version.id])
                    return Sample.accepted(number, state, version)
                })
        }
    }

    private func statements(
        of database: ServerDatabase, _ body: () throws -> Void
    ) rethrows -> Int {
        let before = database.statementCount
        try body()
        return database.statementCount - before
    }
}
