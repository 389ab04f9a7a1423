/// An item as people and programs see it on this device.
package struct ItemView: Hashable, Sendable {
    package let id: ItemID
    package let kind: Kind
    /// From the folder that holds the containers.
    package let path: LocalPath
    package let facts: VersionFacts?
    package let version: VersionID?
    package let progress: Progress
    package let hasConflict: Bool
    package let problem: Problem?
    /// When the next attempt is, if one is due.
    package let nextAttempt: Instant?

    package enum Progress: Hashable, Sendable {
        case current
        case uploading
        case downloading
        case stuck
        /// A placeholder stands for it, because somebody asked for that.
        case placeholder
    }
}

/// What keeps the device from being in sync, counted.
package struct ReplicaStatus: Hashable, Sendable {
    package let isConnected: Bool
    package let hasForeignHistory: Bool
    /// The cursor.
    package let position: Position
    /// Operations that the log does not hold, as far as is known.
    package let outbox: Int
    /// Items whose content or place is still owed to the disk.
    package let downloads: Int
    package let conflicts: Int
    /// Files of which a placeholder stands here.
    package let placeholders: Int
    package let stuck: [ItemView]
    /// Items that are not in step, whatever the reason.
    package let unsettled: [ItemView]
    /// Nothing is dirty, the outbox is empty, the trees agree at ``position``, and the log is known
    /// to end there.
    package let isInSync: Bool
    /// Containers whose folder, or `Documents`, is not there.
    package let missingRoots: [LocalPath]
    /// Deletions that wait for a person's word.
    package let unconfirmed: Int
    /// Items that had been deleted and came back with a restored server.
    package let returned: Int
}
