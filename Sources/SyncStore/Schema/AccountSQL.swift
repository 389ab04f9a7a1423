/// What the server asks of one account's log and state; the first parameter is the account's key.
enum AccountSQL {
    // MARK: The log

    static var position: StaticString {
        "SELECT number, digest FROM entry WHERE account = ?1 ORDER BY number DESC LIMIT 1"
    }
    static var digest: StaticString {
        "SELECT digest FROM entry WHERE account = ?1 AND number = ?2"
    }
    static var entries: StaticString {
        """
        SELECT number, digest, author, incarnation, operation, moment, effects FROM entry
        WHERE account = ?1 AND number > ?2 ORDER BY number
        """
    }
    static var addEntry: StaticString {
        """
        INSERT INTO entry
            (account, number, digest, author, incarnation, operation, moment, effects)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """
    }

    // MARK: Answers

    static var incarnation: StaticString {
        "SELECT device, last FROM incarnation WHERE account = ?1 AND incarnation = ?2"
    }
    static var setIncarnation: StaticString {
        """
        INSERT INTO incarnation (account, incarnation, device, last) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (account, incarnation) DO UPDATE SET last = excluded.last
        """
    }
    static var answer: StaticString {
        """
        SELECT hash, outcome FROM answer
        WHERE account = ?1 AND incarnation = ?2 AND number = ?3
        """
    }
    static var addAnswer: StaticString {
        """
        INSERT INTO answer (account, incarnation, number, hash, outcome)
        VALUES (?1, ?2, ?3, ?4, ?5)
        """
    }

    // MARK: Items

    static var item: StaticString { "SELECT state FROM item WHERE account = ?1 AND id = ?2" }
    static var items: StaticString { "SELECT state FROM item WHERE account = ?1" }
    static var holder: StaticString {
        "SELECT id FROM item WHERE account = ?1 AND folder = ?2 AND tag = ?3 LIMIT 1"
    }
    static var children: StaticString {
        "SELECT id FROM item WHERE account = ?1 AND folder = ?2 AND tag IS NOT NULL"
    }
    /// What is not placed has its last folder, and no tag: it holds no name.
    static var displaced: StaticString {
        "SELECT state FROM item WHERE account = ?1 AND folder = ?2 AND tag IS NULL"
    }
    /// The usual case, an item that stays in its place: no index is touched.
    static var changeItem: StaticString {
        """
        UPDATE item SET state = ?5
        WHERE account = ?1 AND id = ?2 AND folder IS ?3 AND tag IS ?4
        """
    }
    static var setItem: StaticString {
        """
        INSERT INTO item (account, id, folder, tag, state) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (account, id) DO UPDATE
        SET folder = excluded.folder, tag = excluded.tag, state = excluded.state
        """
    }
    static var alias: StaticString {
        "SELECT holder FROM alias WHERE account = ?1 AND item = ?2"
    }
    static var aliases: StaticString { "SELECT item, holder FROM alias WHERE account = ?1" }
    static var setAlias: StaticString {
        "REPLACE INTO alias (account, item, holder) VALUES (?1, ?2, ?3)"
    }

    // MARK: Versions

    static var versionRecord: StaticString {
        "SELECT item, parents, nature, number FROM version WHERE account = ?1 AND id = ?2"
    }
    /// Inline content is not even read from the disk unless the last parameter is 1.
    static var version: StaticString {
        """
        SELECT id, parents, nature, facts, form,
            CASE WHEN form <> 1 OR ?3 THEN content END
        FROM version WHERE account = ?1 AND id = ?2
        """
    }
    static var storedVersion: StaticString {
        """
        SELECT v.id, v.parents, v.nature, v.facts, v.form, v.content,
            v.item, v.number, e.author, e.moment, v.form <> 0 AND v.content IS NULL
        FROM version AS v JOIN entry AS e ON e.account = v.account AND e.number = v.number
        WHERE v.account = ?1 AND v.id = ?2
        """
    }
    static var versionsOfItem: StaticString {
        """
        SELECT v.id, v.parents, v.nature, v.facts, v.form,
            CASE WHEN v.form <> 1 THEN v.content END,
            v.item, v.number, e.author, e.moment, v.form <> 0 AND v.content IS NULL
        FROM version AS v JOIN entry AS e ON e.account = v.account AND e.number = v.number
        WHERE v.account = ?1 AND v.item = ?2 ORDER BY v.number, v.key
        """
    }
    static var addVersion: StaticString {
        """
        INSERT INTO version (account, id, item, number, nature, parents, facts, form, content)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """
    }

    // MARK: Key-values

    static var register: StaticString {
        """
        SELECT w.store, w.register, w.name, w.id, w.value, w.stamp
        FROM register AS r JOIN write AS w ON w.account = r.account AND w.id = r.write
        WHERE r.account = ?1 AND r.store = ?2 AND r.register = ?3
        """
    }
    static var registers: StaticString {
        """
        SELECT w.store, w.register, w.name, w.id, w.value, w.stamp
        FROM register AS r JOIN write AS w ON w.account = r.account AND w.id = r.write
        WHERE r.account = ?1
        """
    }
    static var setRegister: StaticString {
        """
        INSERT INTO register (account, store, register, write) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (account, store, register) DO UPDATE SET write = excluded.write
        """
    }
    static var write: StaticString {
        """
        SELECT store, register, name, id, value, stamp FROM write WHERE account = ?1 AND id = ?2
        """
    }
    static var hasWrite: StaticString { "SELECT 1 FROM write WHERE account = ?1 AND id = ?2" }
    static var addWrite: StaticString {
        """
        INSERT INTO write (account, id, store, register, name, value, stamp, number)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """
    }

    // MARK: Sums

    static var sums: StaticString { "SELECT store, count, bytes FROM sum WHERE account = ?1" }
    static var addToSum: StaticString {
        """
        INSERT INTO sum (account, store, count, bytes) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (account, store) DO UPDATE
        SET count = count + excluded.count, bytes = bytes + excluded.bytes
        """
    }

    // MARK: Chunks

    static var hasChunk: StaticString {
        "SELECT 1 FROM chunk WHERE account = ?1 AND id = ?2 AND marked = 0"
    }
    static var addChunk: StaticString {
        """
        INSERT INTO chunk (account, id, size, since)
        VALUES (?1, ?2, ?3, (SELECT collections FROM upkeep))
        ON CONFLICT (account, id) DO UPDATE SET marked = 0, since = excluded.since
        """
    }
    static var markChunk: StaticString {
        "UPDATE chunk SET marked = 1 WHERE account = ?1 AND id = ?2"
    }
}
