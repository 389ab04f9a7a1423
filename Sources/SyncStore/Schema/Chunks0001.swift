/// Where in which pack each chunk is, and how far each pack is known.
///
/// The packs say all of it themselves: without this file it is found again.
enum Chunks0001 {
    static var sql: StaticString {
        """
        CREATE TABLE place (
            id BLOB PRIMARY KEY,
            pack INTEGER NOT NULL,
            start INTEGER NOT NULL,
            size INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE pack (
            number INTEGER PRIMARY KEY,
            settled INTEGER NOT NULL,
            live INTEGER NOT NULL
        ) STRICT;
        PRAGMA application_id = 1430413428;
        PRAGMA user_version = 1;
        """
    }
}
