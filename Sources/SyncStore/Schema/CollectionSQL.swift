/// What the server asks about the age of things; but for the last part, the first parameter is the
/// account's key.
enum CollectionSQL {
    // MARK: What was replaced

    static var setReplaced: StaticString {
        "UPDATE version SET replaced = ?3 WHERE account = ?1 AND id = ?2"
    }
    static var setWriteReplaced: StaticString {
        "UPDATE write SET replaced = ?3 WHERE account = ?1 AND id = ?2"
    }
    static var replaced: StaticString {
        """
        SELECT id, replaced FROM version
        WHERE account = ?1 AND (replaced, id) > (?2, ?3) AND replaced <= ?4
            AND replaced IS NOT NULL AND content IS NOT NULL
        ORDER BY replaced, id LIMIT ?5
        """
    }
    static var replacedWrites: StaticString {
        """
        SELECT id, replaced FROM write
        WHERE account = ?1 AND replaced <= ?2 AND replaced IS NOT NULL AND value IS NOT NULL
        ORDER BY replaced, id LIMIT ?3
        """
    }
    static var dropContent: StaticString {
        "UPDATE version SET content = NULL WHERE account = ?1 AND id = ?2"
    }
    static var dropValue: StaticString {
        "UPDATE write SET value = NULL WHERE account = ?1 AND id = ?2"
    }
    /// Content that was never there is not NULL: its form says so.
    static var kept: StaticString {
        """
        SELECT id, parents, nature, facts, form, content FROM version
        WHERE account = ?1 AND id = ?2 AND (form = 0 OR content IS NOT NULL)
        """
    }

    // MARK: Chunks

    static var useChunk: StaticString {
        "UPDATE chunk SET uses = uses + 1 WHERE account = ?1 AND id = ?2"
    }
    static var releaseChunk: StaticString {
        """
        UPDATE chunk SET uses = uses - 1, since = (SELECT collections FROM upkeep)
        WHERE account = ?1 AND id = ?2 AND uses > 0
        """
    }
    static var unusedChunks: StaticString {
        """
        SELECT id FROM chunk
        WHERE account = ?1 AND since < ?2 AND uses = 0 AND marked = 0
        ORDER BY since, id LIMIT ?3
        """
    }

    // MARK: The trash

    static var displacedItems: StaticString {
        """
        SELECT state FROM item
        WHERE account = ?1 AND tag IS NULL AND id > ?2 ORDER BY id LIMIT ?3
        """
    }
    static var authorship: StaticString {
        "SELECT author, moment FROM entry WHERE account = ?1 AND number = ?2"
    }

    // MARK: Days

    static var numberAt: StaticString {
        """
        SELECT position FROM collection WHERE account = ?1 AND number <= ?2
        ORDER BY number DESC LIMIT 1
        """
    }
    static var addCollection: StaticString {
        "REPLACE INTO collection (account, number, position) VALUES (?1, ?2, ?3)"
    }
    static var deviceReports: StaticString {
        "SELECT installed, heard FROM device WHERE account = ?1 AND revoked = 0"
    }

    // MARK: Of the whole server

    static var upkeep: StaticString { "SELECT collections, ran FROM upkeep" }
    static var setUpkeep: StaticString { "UPDATE upkeep SET collections = ?1, ran = ?2" }
    static var isCounted: StaticString { "SELECT counted FROM upkeep" }
    static var setCounted: StaticString { "UPDATE upkeep SET counted = 1" }
    static var accounts: StaticString { "SELECT id FROM account ORDER BY key" }
    static var markedChunks: StaticString {
        "SELECT DISTINCT id FROM chunk WHERE marked = 1 ORDER BY id LIMIT ?1"
    }
    static var isStoredAnywhere: StaticString {
        """
        SELECT 1 FROM account JOIN chunk ON chunk.account = account.key AND chunk.id = ?1
        WHERE chunk.marked = 0 LIMIT 1
        """
    }
    static var forgetChunk: StaticString { "DELETE FROM chunk WHERE id = ?1 AND marked = 1" }
    static var uncountedVersions: StaticString {
        "SELECT account, id, nature, form, content FROM version WHERE content IS NOT NULL"
    }
    static var itemStates: StaticString { "SELECT account, state FROM item" }
    static var replaceOldWrites: StaticString {
        """
        UPDATE write SET replaced = (
            SELECT max(number) FROM entry WHERE entry.account = write.account)
        WHERE replaced IS NULL AND NOT EXISTS (
            SELECT 1 FROM register
            WHERE register.account = write.account AND register.write = write.id
                AND register.store = write.store AND register.register = write.register)
        """
    }
    static var replaceOldVersion: StaticString {
        """
        UPDATE version SET replaced = (SELECT max(number) FROM entry WHERE account = ?1)
        WHERE account = ?1 AND id = ?2
        """
    }
}
