/// The name of a note's file, made of its title.
///
/// What the person typed stays, but for `/` and what no name can have. The name is no hidden one
/// and no temporary one, and short enough for every form that it takes on a disk.
package struct NoteName: Hashable, Sendable {
    private let stem: [UInt8]
    private let ending: [UInt8]
    /// A name that a file has already is kept as it is.
    private let isGiven: Bool

    /// For a new note; an empty title gives `Untitled`.
    package init(title: [UInt8]) {
        var stem = trimmed(title).map { byte in byte == .slash || byte == 0 ? .hyphen : byte }
        for index in stem.indices where isLineEnding(stem[index]) { stem[index] = .space }
        if stem.isEmpty { stem = Array("Untitled".utf8) }
        let isTemporary = NotePath(stem + Array(".md".utf8)).isTemporary
        if stem.first == .dot || isTemporary { stem = [.underscore] + stem }
        self.init(stem: stem, ending: Array(".md".utf8), isGiven: false)
    }

    /// For a file that keeps its name if that is free.
    package init(of name: [UInt8]) {
        let dot = name.lastIndex(of: .dot) ?? 0
        // A dot at the start hides the file; it begins no ending.
        self.init(
            stem: dot > 0 ? Array(name[..<dot]) : name, ending: dot > 0 ? Array(name[dot...]) : [],
            isGiven: true)
    }

    private init(stem: [UInt8], ending: [UInt8], isGiven: Bool) {
        self.stem = stem
        self.ending = ending
        self.isGiven = isGiven
    }

    /// The name to try first, second and so on: `Title.md`, `Title 2.md`.
    ///
    /// A stem that is too long is cut between characters.
    package func candidate(_ number: Int) -> [UInt8] {
        if number == 1, isGiven { return stem + ending }
        let suffix = (number > 1 ? Array(" \(number)".utf8) : []) + ending
        guard stem.count + suffix.count > longestName else { return stem + suffix }
        return trimmed(stem.cut(to: longestName - suffix.count)) + suffix
    }
}

/// A name has 255 bytes at most; a file that is not downloaded stands as `.NAME.icloud`.
private let longestName = 255 - 8
