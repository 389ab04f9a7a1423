/// A deletion that waits for a person's word waits also after a restart.
enum Device0002 {
    static var sql: StaticString {
        """
        ALTER TABLE outbox ADD COLUMN awaits INTEGER NOT NULL DEFAULT 0;
        PRAGMA user_version = 2;
        """
    }
}
