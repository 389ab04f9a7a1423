/// What the server asks of its accounts and devices.
enum ServerSQL {
    /// Ids are random, so lookups go all over the file.
    static var settings: StaticString { "PRAGMA cache_size = -16384" }

    // MARK: Accounts

    static var accountKey: StaticString { "SELECT key FROM account WHERE id = ?1" }
    static var accountNamed: StaticString {
        "SELECT id, name, password, identity_key, created FROM account WHERE name = ?1"
    }
    static var accountByID: StaticString {
        "SELECT id, name, password, identity_key, created FROM account WHERE id = ?1"
    }
    static var accountNames: StaticString { "SELECT name FROM account ORDER BY name" }
    static var addAccount: StaticString {
        """
        INSERT INTO account (id, name, password, identity_key, created)
        VALUES (?1, ?2, ?3, ?4, ?5)
        """
    }
    static var setPassword: StaticString { "UPDATE account SET password = ?2 WHERE id = ?1" }
    static var quota: StaticString { "SELECT quota FROM account WHERE key = ?1" }
    static var setQuota: StaticString { "UPDATE account SET quota = ?2 WHERE id = ?1" }

    /// Each takes the account's key.
    static var removeAccount: [StaticString] {
        [
            "DELETE FROM device WHERE account = ?1",
            "DELETE FROM entry WHERE account = ?1",
            "DELETE FROM answer WHERE account = ?1",
            "DELETE FROM incarnation WHERE account = ?1",
            "DELETE FROM item WHERE account = ?1",
            "DELETE FROM alias WHERE account = ?1",
            "DELETE FROM version WHERE account = ?1",
            "DELETE FROM write WHERE account = ?1",
            "DELETE FROM register WHERE account = ?1",
            "DELETE FROM sum WHERE account = ?1",
            "DELETE FROM chunk WHERE account = ?1",
            "DELETE FROM collection WHERE account = ?1",
            "DELETE FROM account WHERE key = ?1",
        ]
    }

    // MARK: Devices

    static var session: StaticString {
        """
        SELECT account.id, account.name, device.id, device.name, device.contact, device.revoked
        FROM device JOIN account ON account.key = device.account WHERE device.token_hash = ?1
        """
    }
    static var devices: StaticString {
        """
        SELECT device.id, device.name, device.created, device.contact, device.revoked
        FROM device JOIN account ON account.key = device.account WHERE account.id = ?1
        ORDER BY device.key
        """
    }
    static var addDevice: StaticString {
        """
        INSERT INTO device (account, id, name, token_hash, created, contact, heard)
        SELECT key, ?2, ?3, ?4, ?5, ?5, (SELECT collections FROM upkeep)
        FROM account WHERE id = ?1
        """
    }
    static var renameDevice: StaticString {
        """
        UPDATE device SET name = ?3
        WHERE account = (SELECT key FROM account WHERE id = ?1) AND id = ?2
        """
    }
    static var revoke: StaticString {
        """
        UPDATE device SET revoked = 1
        WHERE account = (SELECT key FROM account WHERE id = ?1) AND id = ?2
        """
    }
    static var deviceToken: StaticString {
        """
        SELECT device.token_hash
        FROM device JOIN account ON account.key = device.account
        WHERE account.id = ?1 AND device.id = ?2
        """
    }
    static var revokedTokens: StaticString {
        "SELECT token_hash FROM device WHERE revoked = 1"
    }
    static var revokeToken: StaticString {
        "UPDATE device SET revoked = 1 WHERE token_hash = ?1"
    }
    static var noteContact: StaticString {
        """
        UPDATE device SET contact = max(contact, ?3), installed = ifnull(?4, installed),
            heard = (SELECT collections FROM upkeep)
        WHERE account = (SELECT key FROM account WHERE id = ?1) AND id = ?2
        """
    }
}
