/// What a backup holds beside the database: the chunks' bytes.
enum BackupSQL {
    static var begin: StaticString {
        "CREATE TABLE backup_chunk (id BLOB PRIMARY KEY NOT NULL, bytes BLOB NOT NULL) STRICT"
    }
    static var end: StaticString { "DROP TABLE backup_chunk; VACUUM" }
    static var chunks: StaticString { "SELECT DISTINCT id FROM chunk WHERE marked = 0" }
    static var add: StaticString {
        "INSERT INTO backup_chunk (id, bytes) VALUES (?1, ?2)"
    }
    static var mark: StaticString { "UPDATE chunk SET marked = 1 WHERE id = ?1" }
    static var isBackup: StaticString {
        "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'backup_chunk'"
    }
    static var contents: StaticString { "SELECT id, bytes FROM backup_chunk" }
    /// Without a write-ahead log beside it the file is whole by itself.
    static var close: StaticString {
        "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE"
    }
}
