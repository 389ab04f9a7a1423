/// A server's accounts with their logs and states, first version.
///
/// A version or write is one row for ever, with its content; entries, items and registers name it.
/// Ids are random, so big rows lie in the order of their making, each under a small index. Only the
/// accounts' keys are foreign keys of a table: to check them in every row would cost a search each.
enum Server0001 {
    static var sql: StaticString {
        """
        PRAGMA application_id = 1430413427;
        CREATE TABLE account (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE,
            name TEXT NOT NULL UNIQUE,
            password TEXT NOT NULL,
            identity_key BLOB NOT NULL,
            created INTEGER NOT NULL,
            quota INTEGER
        ) STRICT;
        CREATE TABLE device (
            key INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES account (key),
            id BLOB NOT NULL,
            name TEXT NOT NULL,
            token_hash BLOB NOT NULL UNIQUE,
            created INTEGER NOT NULL,
            contact INTEGER NOT NULL,
            revoked INTEGER NOT NULL DEFAULT 0,
            UNIQUE (account, id)
        ) STRICT;
        CREATE TABLE entry (
            account INTEGER NOT NULL,
            number INTEGER NOT NULL,
            digest BLOB NOT NULL,
            author BLOB NOT NULL,
            incarnation INTEGER NOT NULL,
            operation INTEGER NOT NULL,
            moment INTEGER NOT NULL,
            effects BLOB NOT NULL,
            PRIMARY KEY (account, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE answer (
            account INTEGER NOT NULL,
            incarnation INTEGER NOT NULL,
            number INTEGER NOT NULL,
            hash BLOB NOT NULL,
            outcome BLOB NOT NULL,
            PRIMARY KEY (account, incarnation, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE incarnation (
            account INTEGER NOT NULL,
            incarnation INTEGER NOT NULL,
            device BLOB NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (account, incarnation)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE item (
            key INTEGER PRIMARY KEY,
            account INTEGER NOT NULL,
            id BLOB NOT NULL,
            folder BLOB,
            tag BLOB,
            state BLOB NOT NULL,
            UNIQUE (account, id)
        ) STRICT;
        CREATE INDEX item_by_place ON item (account, folder, tag, id) WHERE folder IS NOT NULL;
        CREATE TABLE alias (
            account INTEGER NOT NULL,
            item BLOB NOT NULL,
            holder BLOB NOT NULL,
            PRIMARY KEY (account, item)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE version (
            key INTEGER PRIMARY KEY,
            account INTEGER NOT NULL,
            id BLOB NOT NULL,
            item BLOB NOT NULL,
            number INTEGER NOT NULL,
            nature INTEGER NOT NULL,
            parents BLOB NOT NULL,
            facts BLOB NOT NULL,
            form INTEGER NOT NULL,
            content BLOB,
            UNIQUE (account, id)
        ) STRICT;
        CREATE INDEX version_by_item ON version (account, item, number);
        CREATE TABLE write (
            key INTEGER PRIMARY KEY,
            account INTEGER NOT NULL,
            id BLOB NOT NULL,
            store BLOB NOT NULL,
            register BLOB NOT NULL,
            name BLOB NOT NULL,
            value BLOB,
            stamp INTEGER,
            number INTEGER,
            UNIQUE (account, id)
        ) STRICT;
        CREATE TABLE register (
            account INTEGER NOT NULL,
            store BLOB NOT NULL,
            register BLOB NOT NULL,
            write BLOB NOT NULL,
            PRIMARY KEY (account, store, register)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE sum (
            account INTEGER NOT NULL,
            store BLOB NOT NULL,
            count INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (account, store)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE chunk (
            account INTEGER NOT NULL,
            id BLOB NOT NULL,
            size INTEGER NOT NULL,
            marked INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (account, id)
        ) STRICT, WITHOUT ROWID;
        PRAGMA user_version = 1;
        """
    }
}
