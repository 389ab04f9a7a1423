/// A device's state, first version; records are in the codec of the wire.
///
/// Ids are random, so rows lie in the order of their making under a small index: a first sync of
/// many files then writes each page once, not once a commit.
enum Device0001 {
    static var sql: StaticString {
        """
        PRAGMA application_id = 1430413412;
        CREATE TABLE identity (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            record BLOB NOT NULL
        ) STRICT;
        CREATE TABLE progress (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            record BLOB NOT NULL
        ) STRICT;
        CREATE TABLE setting (
            name TEXT PRIMARY KEY NOT NULL,
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE node (
            key INTEGER PRIMARY KEY,
            item BLOB NOT NULL UNIQUE,
            record BLOB NOT NULL
        ) STRICT;
        CREATE TABLE alias (
            item BLOB PRIMARY KEY NOT NULL,
            holder BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE outbox (
            entry INTEGER PRIMARY KEY,
            made INTEGER NOT NULL,
            number INTEGER,
            uploaded INTEGER NOT NULL,
            accepted INTEGER
        ) STRICT;
        CREATE TABLE outbox_body (
            entry INTEGER PRIMARY KEY,
            body BLOB NOT NULL
        ) STRICT;
        CREATE TABLE register (
            key INTEGER PRIMARY KEY,
            store BLOB NOT NULL,
            name BLOB NOT NULL,
            record BLOB NOT NULL,
            UNIQUE (store, name)
        ) STRICT;
        CREATE TABLE content (
            key INTEGER PRIMARY KEY,
            version BLOB NOT NULL UNIQUE,
            bytes BLOB NOT NULL
        ) STRICT;
        PRAGMA user_version = 1;
        """
    }
}
