/// What a collection reads of one account, beside what the rules of operations read.
package protocol CollectionReader: AccountReader {
    /// The log's number at the newest collection up to `collection`; 0 if there was none.
    func number(at collection: UInt64) throws(Failure) -> UInt64
    /// Versions that were replaced at or before an entry and whose content is still kept, in the
    /// order of their replacing.
    ///
    /// Those of one entry are in the order of their ids.
    func replaced(
        after last: Replaced<VersionID>?, through number: UInt64, limit: Int
    ) throws(Failure) -> [Replaced<VersionID>]
    /// Writes that were replaced at or before an entry and whose value is still kept.
    func replacedWrites(
        through number: UInt64, limit: Int
    ) throws(Failure) -> [Replaced<WriteID>]
    /// Chunks that no content refers to since before a collection, and that are not marked.
    func unreferencedChunks(before collection: UInt64, limit: Int) throws(Failure) -> [ChunkID]
    /// The devices that may come again.
    func deviceReports() throws(Failure) -> [DeviceReport]
}

/// What was replaced, and by which entry of the log.
package struct Replaced<ID: Hashable & Sendable>: Hashable, Sendable {
    package let id: ID
    package let number: UInt64

    package init(_ id: ID, by number: UInt64) {
        self.id = id
        self.number = number
    }
}

/// What a device said that it has on its disk.
package struct DeviceReport: Hashable, Sendable {
    /// No version that was replaced up to this entry is on its disk.
    package let number: UInt64
    /// The collection after which it was last heard of.
    package let heard: UInt64

    package init(number: UInt64, heard: UInt64) {
        self.number = number
        self.heard = heard
    }
}
