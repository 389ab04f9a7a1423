/// One content of an item, as the server sees it.
package struct Version: Hashable, Sendable {
    package let id: VersionID
    /// What it was made from; unknown ids are no error.
    package let parents: [VersionID]
    package let nature: Nature
    /// ``VersionFacts`` as bytes, opaque to the server.
    package let facts: [UInt8]
    package let content: StoredContent

    package enum Nature: UInt8, Hashable, Sendable {
        /// Somebody's typing: never refused for its parents.
        case edit = 1
        /// Nobody's typing, a merge or a choice: accepted only while all its parents are heads.
        case settlement = 2
        /// No content; it yields to any head with content.
        case deletion = 3
    }

    package init(
        id: VersionID, parents: [VersionID], nature: Nature, facts: [UInt8],
        content: StoredContent
    ) {
        self.id = id
        self.parents = parents
        self.nature = nature
        self.facts = facts
        self.content = content
    }

    package var hasContent: Bool { nature != .deletion }
}

/// The bytes of a version as the server stores them.
package enum StoredContent: Hashable, Sendable {
    /// A folder, a deletion, or content that was left out because the reader has it.
    case none
    /// At most ``inlineLimit`` bytes, beside the version.
    case inline([UInt8])
    /// In the order of the file.
    case chunks([ChunkReference])

    /// The most bytes that travel and are stored within a version.
    package static var inlineLimit: Int { 65_536 }

    /// The bytes that count against a quota.
    package var storedSize: UInt64 {
        switch self {
        case .none: 0
        case .inline(let bytes): UInt64(bytes.count)
        case .chunks(let chunks): chunks.reduce(0) { $0 + UInt64($1.size) }
        }
    }
}

/// One chunk of a content, by the hash of the bytes that the server stores.
package struct ChunkReference: Hashable, Sendable {
    package let id: ChunkID
    package let size: UInt32

    package init(id: ChunkID, size: UInt32) {
        self.id = id
        self.size = size
    }
}

/// What only devices know of a version: the server keeps it as opaque bytes.
package struct VersionFacts: Hashable, Sendable {
    /// The hash of the plain content; of a link, of its target; zero for a folder.
    package var digest: Digest
    /// The bytes of the plain content.
    package var size: UInt64
    /// The nine permission bits.
    package var mode: UInt16
    /// Of the content; not carried for folders.
    package var modified: FileTime

    package init(digest: Digest, size: UInt64, mode: UInt16, modified: FileTime) {
        self.digest = digest
        self.size = size
        self.mode = mode
        self.modified = modified
    }
}
