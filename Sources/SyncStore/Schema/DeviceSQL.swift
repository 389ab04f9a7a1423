/// What the device's store asks of its file.
enum DeviceSQL {
    // MARK: One-row tables

    static var identity: StaticString { "SELECT record FROM identity" }
    static var setIdentity: StaticString { "REPLACE INTO identity (one, record) VALUES (1, ?1)" }
    static var progress: StaticString { "SELECT record FROM progress" }
    static var setProgress: StaticString { "REPLACE INTO progress (one, record) VALUES (1, ?1)" }
    static var setting: StaticString { "SELECT value FROM setting WHERE name = ?1" }
    static var setSetting: StaticString {
        "REPLACE INTO setting (name, value) VALUES (?1, ?2)"
    }
    static var removeSetting: StaticString { "DELETE FROM setting WHERE name = ?1" }

    // MARK: The trees

    static var nodes: StaticString { "SELECT item, record FROM node ORDER BY key" }
    static var setNode: StaticString {
        """
        INSERT INTO node (item, record) VALUES (?1, ?2)
        ON CONFLICT (item) DO UPDATE SET record = excluded.record
        """
    }
    static var removeNode: StaticString { "DELETE FROM node WHERE item = ?1" }
    static var aliases: StaticString { "SELECT item, holder FROM alias" }
    static var setAlias: StaticString { "REPLACE INTO alias (item, holder) VALUES (?1, ?2)" }
    static var removeAlias: StaticString { "DELETE FROM alias WHERE item = ?1" }

    // MARK: The outbox

    static var outbox: StaticString {
        """
        SELECT entry, made, number, uploaded, accepted, body, awaits, rests, sent
        FROM outbox JOIN outbox_body USING (entry) ORDER BY entry
        """
    }
    static var setEntry: StaticString {
        """
        INSERT INTO outbox (entry, made, number, uploaded, accepted, awaits, rests, sent)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (entry) DO UPDATE SET made = excluded.made, number = excluded.number,
            uploaded = excluded.uploaded, accepted = excluded.accepted, awaits = excluded.awaits,
            rests = excluded.rests, sent = excluded.sent
        """
    }
    /// An entry's body holds the content and hardly ever changes: it is not written again.
    static var setBody: StaticString {
        """
        INSERT INTO outbox_body (entry, body) VALUES (?1, ?2)
        ON CONFLICT (entry) DO UPDATE SET body = excluded.body WHERE body IS NOT excluded.body
        """
    }
    static var removeEntry: StaticString { "DELETE FROM outbox WHERE entry = ?1" }
    static var removeBody: StaticString { "DELETE FROM outbox_body WHERE entry = ?1" }

    // MARK: Registers and contents

    static var registers: StaticString { "SELECT store, name, record FROM register" }
    static var setRegister: StaticString {
        """
        INSERT INTO register (store, name, record) VALUES (?1, ?2, ?3)
        ON CONFLICT (store, name) DO UPDATE SET record = excluded.record
        """
    }
    static var removeRegister: StaticString {
        "DELETE FROM register WHERE store = ?1 AND name = ?2"
    }
    static var content: StaticString { "SELECT bytes FROM content WHERE version = ?1" }
    /// A version's content never changes.
    static var setContent: StaticString {
        "INSERT INTO content (version, bytes) VALUES (?1, ?2) ON CONFLICT (version) DO NOTHING"
    }
    static var removeContent: StaticString { "DELETE FROM content WHERE version = ?1" }

    // MARK: The past

    static var setAncestry: StaticString {
        """
        INSERT INTO ancestry (child, parents, number) VALUES (?1, ?2, ?3)
        ON CONFLICT (child) DO UPDATE
        SET parents = excluded.parents, number = excluded.number
        """
    }
    static var loseAncestries: StaticString {
        "UPDATE ancestry SET number = ?2 WHERE number > ?1"
    }
    static var ancestries: StaticString {
        "SELECT child, parents, number FROM ancestry WHERE number > ?1"
    }
    static var landmarks: StaticString { "SELECT number, digest FROM landmark ORDER BY number" }
    static var setLandmark: StaticString {
        "REPLACE INTO landmark (number, digest) VALUES (?1, ?2)"
    }
    static var removeLandmark: StaticString { "DELETE FROM landmark WHERE number = ?1" }

    // MARK: Another account

    static var clear: StaticString {
        """
        DELETE FROM progress;
        DELETE FROM node;
        DELETE FROM alias;
        DELETE FROM outbox;
        DELETE FROM outbox_body;
        DELETE FROM register;
        DELETE FROM content;
        DELETE FROM ancestry;
        DELETE FROM landmark;
        """
    }
}
