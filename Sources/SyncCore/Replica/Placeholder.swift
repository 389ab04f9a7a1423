/// The small file that stands where an item's content would be: what it says, and under which name.
///
/// Nothing is told from either: a file is a placeholder because the replica has put it there.
package enum Placeholder {
    private static let prefix: [UInt8] = [0x2E]
    private static let suffix: [UInt8] = Array(".icloud".utf8)

    /// The name of an item's placeholder; nil where it would be too long, or one that is ignored.
    package static func name(for name: Name) -> Name? {
        guard let hidden = Name(prefix + name.bytes + suffix), !IgnoredNames.contains(hidden) else {
            return nil
        }
        return hidden
    }

    /// The name that a placeholder of this name stands for; nil for a name of another form.
    package static func original(of name: Name) -> Name? {
        let bytes = name.bytes
        guard bytes.count > prefix.count + suffix.count, bytes.first == prefix[0],
            bytes.ends(with: suffix)
        else { return nil }
        return Name(Array(bytes[prefix.count..<(bytes.count - suffix.count)]))
    }

    /// For whoever opens it: what it is, and how to have the content.
    package static func text(_ name: Name, _ version: VersionID, size: UInt64) -> [UInt8] {
        var bytes = Array("This file's content is not on this device. To fetch it, run\n\n".utf8)
        bytes += Array("    ubiquity download ".utf8)
        bytes += quoted(name.bytes)
        bytes += Array("\n\nsize: \(size) bytes\nversion: \(version.text)\n".utf8)
        return bytes
    }

    /// As a shell takes it for one word, whatever is in it.
    private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        var quoted: [UInt8] = [0x27]
        for byte in bytes {
            // A quote ends, stands by itself behind a backslash, and begins again.
            if byte == 0x27 { quoted += [0x27, 0x5C, 0x27, 0x27] } else { quoted.append(byte) }
        }
        // What begins with a dash is no option.
        if bytes.first == 0x2D { quoted.insert(contentsOf: [0x2E, 0x2F], at: 1) }
        return quoted + [0x27]
    }

    /// As a version's of its own: readable to whom the file is, not to be written, and of its time.
    package static func facts(
        of text: [UInt8], for facts: VersionFacts, _ hash: ([UInt8]) -> Digest
    ) -> VersionFacts {
        VersionFacts(
            digest: hash(text), size: UInt64(text.count), mode: facts.mode & 0o444 | 0o400,
            modified: facts.modified)
    }
}

/// Where an item's content is to be on this device, by the word of somebody here.
package enum Residence: UInt8, Hashable, Sendable, CaseIterable {
    /// On the disk, as long as nobody says otherwise.
    case ordinary = 0
    /// At the server; a placeholder stands here.
    case evicted = 1
    /// On the disk, and not to be evicted for room.
    case pinned = 2
}

/// Why an item is not evicted.
package enum EvictionObjection: Hashable, Sendable {
    /// It is a folder, a package or a link.
    case kind(Kind)
    case alreadyEvicted
    case pinned
    /// The account does not have all of it, or it is not on the disk as the account has it.
    case unsynced
    case inConflict
    case beingWritten
    /// Other names show the same file: its room would not be free.
    case hasSeveralNames
    /// The placeholder's name would be too long, or one that is ignored.
    case nameNotPossible
    /// Something else has the placeholder's name.
    case nameTaken
}
