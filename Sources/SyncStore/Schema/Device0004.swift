/// What an operation shares its outcome with, and whether it may have been sent, hold also after a
/// restart.
enum Device0004 {
    static var sql: StaticString {
        """
        ALTER TABLE outbox ADD COLUMN rests BLOB;
        ALTER TABLE outbox ADD COLUMN sent INTEGER NOT NULL DEFAULT 0;
        PRAGMA user_version = 4;
        """
    }
}
