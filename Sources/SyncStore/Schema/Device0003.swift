/// What a device must know of the past on the day on which its server is restored.
///
/// Who was made from whom, with the number of the entry that said so, and some positions of the
/// log.
enum Device0003 {
    static var sql: StaticString {
        """
        CREATE TABLE ancestry (
            key INTEGER PRIMARY KEY,
            child BLOB NOT NULL UNIQUE,
            parents BLOB NOT NULL,
            number INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE landmark (
            number INTEGER PRIMARY KEY,
            digest BLOB NOT NULL
        ) STRICT;
        PRAGMA user_version = 3;
        """
    }
}
