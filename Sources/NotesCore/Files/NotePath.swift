import SyncCore

/// Where a file stands below the folder of the notes: names joined by `/`, as bytes.
package struct NotePath: Hashable, Comparable, Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package static func < (one: NotePath, other: NotePath) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }
}

extension NotePath {
    /// The last name.
    package var name: [UInt8] {
        guard let slash = bytes.lastIndex(of: .slash) else { return bytes }
        return Array(bytes[(slash + 1)...])
    }

    /// The folder that holds the file, empty for the outermost: the note's notebook.
    package var notebook: [UInt8] {
        guard let slash = bytes.lastIndex(of: .slash) else { return [] }
        return Array(bytes[..<slash])
    }

    /// The last name without what tells a note from other files.
    package var stem: [UInt8] {
        guard let ending = noteEnding else { return name }
        return Array(name.dropLast(ending.count))
    }

    /// The path without what tells a note from other files.
    var withoutEnding: [UInt8] { Array(bytes.dropLast(noteEnding?.count ?? 0)) }

    /// Whether the file is a note and not an attachment, by its name.
    package var isNote: Bool { noteEnding != nil }

    private var noteEnding: [UInt8]? {
        let name = name
        for ending in noteEndings {
            let ending = Array(ending.utf8)
            guard name.count > ending.count else { continue }
            if Array(name.suffix(ending.count)).equalsFolded(ending) { return ending }
        }
        return nil
    }

    /// Whether a program's temporary file has such a name: it would stay on this device.
    package var isTemporary: Bool {
        guard let name = Name(name) else { return true }
        return IgnoredNames.contains(name)
    }

    package func appending(_ name: [UInt8]) -> NotePath {
        NotePath(bytes.isEmpty ? name : bytes + [.slash] + name)
    }
}

private let noteEndings = [".md", ".markdown", ".txt"]
