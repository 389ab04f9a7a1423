package import SyncCore

/// A server's accounts, devices, logs and states in one SQLite file.
///
/// One thread at a time uses it; a server opens one to write and others to read. Several processes
/// may have the file open: nothing is remembered between transactions.
package final class ServerDatabase {
    let connection: SQLiteConnection

    /// Opens `server.db` in a folder that is there, or makes it.
    package init(folder: String) throws(StoreError) {
        connection = try SQLiteConnection(path: "\(folder)/server.db")
        try connection.execute(ServerSQL.settings)
        try connection.migrate(to: .server)
        try countReferences()
        try FileSystem.syncFolder(folder)
    }

    /// Runs the closure within a transaction; what it throws undoes all of it.
    ///
    /// One commit and so one sync of the disk, however many requests and accounts it serves.
    @discardableResult
    package func transaction<Result>(
        _ body: (ServerDatabase) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try connection.transaction { () throws(StoreError) in try body(self) }
    }

    /// Runs the closure so that all its reads see one state, whatever is committed meanwhile.
    package func reading<Result>(
        _ body: (ServerDatabase) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try connection.reading { () throws(StoreError) in try body(self) }
    }

    /// Runs the closure within the open transaction; what it throws undoes it alone.
    ///
    /// After some failures, such as a full disk, the whole transaction is gone; its commit throws.
    @discardableResult
    package func savepoint<Result>(
        _ body: (ServerDatabase) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try connection.savepoint { () throws(StoreError) in try body(self) }
    }

    /// An account's log and state; one that is not there reads as empty and takes no changes.
    package func account(_ id: AccountID) -> SQLiteAccountStore {
        SQLiteAccountStore(id, in: connection)
    }

    /// Statements run since the file was opened, for tests that hold a budget.
    package var statementCount: Int { connection.statementCount }

    /// Carries the write-ahead log into the file.
    ///
    /// A commit does it by itself once the log has 16 MiB, and takes as long; another connection
    /// that does it in time keeps every commit short.
    package func checkpoint() throws(StoreError) { try connection.checkpoint() }

    /// Writes a copy of the committed state to a new file while others go on reading and writing.
    package func snapshot(to path: String) throws(StoreError) {
        try connection.snapshot(to: path)
    }

    /// Reads the whole file and says what is damaged in it; empty if nothing is.
    package func check() throws(StoreError) -> [String] {
        try connection.all(SettingsSQL.integrity, []) { $0.text(0) }.filter { $0 != "ok" }
    }
}

extension Schema {
    static var server: Schema {
        Schema(applicationID: 1_430_413_427, steps: [Server0001.sql, Server0002.sql])
    }
}
