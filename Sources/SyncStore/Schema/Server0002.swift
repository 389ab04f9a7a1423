/// What is not current grows old: when it was replaced, what refers to a chunk, and the days.
///
/// An index holds only what may be collected, so that a collection reads nothing else. What rows of
/// the first version cannot say in SQL is worked out once (``ServerDatabase/countReferences()``).
enum Server0002 {
    static var sql: StaticString {
        """
        ALTER TABLE version ADD COLUMN replaced INTEGER;
        CREATE INDEX version_by_replacing ON version (account, replaced, id)
            WHERE replaced IS NOT NULL AND content IS NOT NULL;
        ALTER TABLE write ADD COLUMN replaced INTEGER;
        UPDATE write SET replaced = number;
        CREATE INDEX write_by_replacing ON write (account, replaced, id)
            WHERE replaced IS NOT NULL AND value IS NOT NULL;
        ALTER TABLE chunk ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE chunk ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX chunk_unused ON chunk (account, since, id) WHERE uses = 0 AND marked = 0;
        CREATE INDEX chunk_marked ON chunk (id) WHERE marked = 1;
        CREATE INDEX item_displaced ON item (account, id) WHERE tag IS NULL;
        ALTER TABLE device ADD COLUMN installed INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE device ADD COLUMN heard INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE collection (
            account INTEGER NOT NULL,
            number INTEGER NOT NULL,
            position INTEGER NOT NULL,
            PRIMARY KEY (account, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE upkeep (
            key INTEGER PRIMARY KEY CHECK (key = 1),
            collections INTEGER NOT NULL,
            ran INTEGER NOT NULL,
            counted INTEGER NOT NULL
        ) STRICT;
        INSERT INTO upkeep (key, collections, ran, counted) VALUES (1, 0, 0, 0);
        PRAGMA user_version = 2;
        """
    }
}
