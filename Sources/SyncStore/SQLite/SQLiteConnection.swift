internal import CSQLite

/// One connection to one database file; used by one thread at a time.
///
/// Write-ahead log with `synchronous=FULL`: a commit is one `fdatasync` of the log, and once it
/// returns, neither a killed process nor a power cut undoes it.
@safe
package final class SQLiteConnection {
    private let handle: OpaquePointer
    /// By the address of their text, which is constant.
    private var statements: [UInt: SQLiteStatement] = [:]
    /// Statements run since the connection was opened, for tests that hold a budget.
    package private(set) var statementCount = 0
    package let path: String

    /// Opens the file, or makes it; its folder must be there.
    package init(path: String) throws(StoreError) {
        self.path = path
        // SQLite would let others read it; its other files take over these permissions.
        try FileSystem.makePrivateFile(path)
        unsafe handle = try SQLiteConnection.open(path)
        do throws(StoreError) {
            try configure()
        } catch {
            unsafe sqlite3_close_v2(handle)
            throw error
        }
    }

    deinit {
        for statement in statements.values { statement.finalize() }
        unsafe sqlite3_close_v2(handle)
    }

    private static func open(_ path: String) throws(StoreError) -> OpaquePointer {
        var handle: OpaquePointer?
        // No mutex: one thread at a time is the rule of this type.
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle = unsafe handle else {
            let error = unsafe StoreError(code, in: handle)
            unsafe sqlite3_close_v2(handle)
            throw error
        }
        return unsafe handle
    }

    private func configure() throws(StoreError) {
        unsafe sqlite3_busy_timeout(handle, 10_000)
        let code = unsafe csqlite_harden(handle)
        guard code == SQLITE_OK else { throw unsafe StoreError(code, in: handle) }
        try execute(SettingsSQL.connection)
        // Where shared memory cannot be had, SQLite stays with its old journal and does not say so.
        let mode = try one(SettingsSQL.journalMode, []) { row in row.text(0) }
        guard mode == "wal" else {
            throw .other(code: SQLITE_ERROR, text: "the file system cannot hold a write-ahead log")
        }
    }

    // MARK: Statements

    /// Runs a text of any number of statements without parameters, once.
    package func execute(_ sql: StaticString) throws(StoreError) {
        let code = unsafe sqlite3_exec(
            handle, UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self), nil, nil,
            nil)
        guard code == SQLITE_OK else { throw unsafe StoreError(code, in: handle) }
    }

    /// Runs a statement without rows; gives the number of rows that it changed.
    @discardableResult
    package func run(_ sql: StaticString, _ values: SQLiteValue...) throws(StoreError) -> Int {
        try each(sql, values) { _ in true }
        return unsafe Int(sqlite3_changes(handle))
    }

    /// The first row, read by the closure; nil if there is none.
    package func one<Result>(
        _ sql: StaticString, _ values: [SQLiteValue],
        _ read: (SQLiteRow) throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        var result: Result?
        try each(sql, values) { row throws(StoreError) in
            result = try read(row)
            return false
        }
        return result
    }

    /// All rows, each read by the closure.
    package func all<Result>(
        _ sql: StaticString, _ values: [SQLiteValue],
        _ read: (SQLiteRow) throws(StoreError) -> Result
    ) throws(StoreError) -> [Result] {
        var results: [Result] = []
        try each(sql, values) { row throws(StoreError) in
            results.append(try read(row))
            return true
        }
        return results
    }

    /// Hands each row to the closure until it says false.
    package func each(
        _ sql: StaticString, _ values: [SQLiteValue],
        _ body: (SQLiteRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        statementCount += 1
        try statement(sql).run(values, body)
    }

    private func statement(_ sql: StaticString) throws(StoreError) -> SQLiteStatement {
        let key = unsafe UInt(bitPattern: sql.utf8Start)
        if let known = statements[key] { return known }
        let made = try prepare(sql)
        statements[key] = made
        return made
    }

    private func prepare(_ sql: StaticString) throws(StoreError) -> SQLiteStatement {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle, UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self),
            Int32(sql.utf8CodeUnitCount), UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else {
            throw unsafe StoreError(code, in: handle)
        }
        return unsafe SQLiteStatement(prepared)
    }

    // MARK: Transactions

    /// A transaction that may write is open.
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// After a full disk or a failed one SQLite has ended the transaction by itself: what comes
    /// next would hold by itself, without what came before.
    func requireTransaction() throws(StoreError) {
        guard !isInTransaction else { return }
        throw .other(code: SQLITE_ABORT, text: "there is no transaction, or it has failed")
    }

    /// Takes the file's write lock at once, so that no later statement can meet another writer.
    package func begin() throws(StoreError) { try run(SettingsSQL.begin) }

    /// Durable when it returns; when it throws, nothing of the transaction holds.
    package func commit() throws(StoreError) {
        do throws(StoreError) {
            try run(SettingsSQL.commit)
        } catch {
            rollback()
            throw error
        }
    }

    /// After a full disk SQLite has rolled back by itself; that is no error here.
    package func rollback() {
        guard isInTransaction else { return }
        _ = unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }

    /// Runs the closure within a transaction; what it throws undoes all of it.
    @discardableResult
    package func transaction<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try begin()
        let result: Result
        do throws(StoreError) {
            result = try body()
        } catch {
            rollback()
            throw error
        }
        try commit()
        return result
    }

    /// Runs the closure so that all its reads see one state; it must not write.
    func reading<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try run(SettingsSQL.beginReading)
        defer { rollback() }
        return try body()
    }

    /// Runs the closure within the open transaction; what it throws undoes it alone.
    func savepoint<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try requireTransaction()
        try run(SettingsSQL.savepoint)
        do throws(StoreError) {
            let result = try body()
            try run(SettingsSQL.release)
            return result
        } catch {
            // After a full disk there is no transaction left to go back in.
            if isInTransaction {
                try run(SettingsSQL.rollbackToSavepoint)
                try run(SettingsSQL.release)
            }
            throw error
        }
    }

    /// Carries the write-ahead log into the file as far as no reader holds it up.
    package func checkpoint() throws(StoreError) {
        let code = unsafe sqlite3_wal_checkpoint_v2(
            handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        guard code == SQLITE_OK else { throw unsafe StoreError(code, in: handle) }
    }
}
