/// What every connection runs, whatever is in the file.
enum SettingsSQL {
    static var connection: StaticString {
        """
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA temp_store = MEMORY;
        PRAGMA wal_autocheckpoint = 4096;
        PRAGMA journal_size_limit = 16777216;
        """
    }

    static var journalMode: StaticString { "PRAGMA journal_mode = WAL" }
    static var begin: StaticString { "BEGIN IMMEDIATE" }
    static var beginReading: StaticString { "BEGIN DEFERRED" }
    static var commit: StaticString { "COMMIT" }
    static var rollback: StaticString { "ROLLBACK" }
    static var savepoint: StaticString { "SAVEPOINT request" }
    static var release: StaticString { "RELEASE request" }
    static var rollbackToSavepoint: StaticString { "ROLLBACK TO request" }
    static var userVersion: StaticString { "PRAGMA user_version" }
    static var applicationID: StaticString { "PRAGMA application_id" }
    static var tableCount: StaticString { "SELECT count(*) FROM sqlite_schema" }
    static var snapshot: StaticString { "VACUUM INTO ?1" }
    static var integrity: StaticString { "PRAGMA integrity_check(10)" }
}
