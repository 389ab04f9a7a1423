/// What the chunk store asks of its index.
enum ChunkSQL {
    static var place: StaticString { "SELECT pack, start, size FROM place WHERE id = ?1" }
    static var setPlace: StaticString {
        "REPLACE INTO place (id, pack, start, size) VALUES (?1, ?2, ?3, ?4)"
    }
    static var removePlace: StaticString { "DELETE FROM place WHERE id = ?1" }
    static var packs: StaticString { "SELECT number, settled FROM pack" }
    static var addPack: StaticString {
        "INSERT INTO pack (number, settled, live) VALUES (?1, ?2, 0)"
    }
    static var settle: StaticString { "UPDATE pack SET settled = ?2 WHERE number = ?1" }
    static var count: StaticString { "UPDATE pack SET live = live + ?2 WHERE number = ?1" }
    static var live: StaticString { "SELECT live FROM pack WHERE number = ?1" }
    static var removePack: StaticString { "DELETE FROM pack WHERE number = ?1" }
    /// For what is found again if a power cut takes it.
    static var relaxed: StaticString { "PRAGMA synchronous = NORMAL" }
    static var strict: StaticString { "PRAGMA synchronous = FULL" }
}
