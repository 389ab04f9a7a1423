/// A note as a value: its bytes, and what can be read from them.
///
/// The bytes are exactly those of the file. What changes a note gives new bytes in which nothing
/// else is changed.
package struct Note: Sendable {
    package let path: NotePath
    package let bytes: [UInt8]
    package let frontMatter: FrontMatter?

    package init(path: NotePath, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        frontMatter = FrontMatter(bytes)
    }

    /// Where the text starts, behind the front matter.
    package var textStart: Int { frontMatter?.range.upperBound ?? byteOrderMark(bytes) }

    /// What the front matter says under a key; nil if it has no such key.
    package func value(_ key: String) -> FrontMatterValue? {
        guard let entry = frontMatter?.entry(Array(key.utf8)) else { return nil }
        return FrontMatterValue(bytes, entry.value)
    }

    // MARK: Reading

    /// From the front matter, or the first heading or line with words, or the file's name.
    package var title: [UInt8] {
        if let given = givenTitle { return given }
        return TextTitle(bytes, from: textStart)?.text ?? path.stem
    }

    private var givenTitle: [UInt8]? {
        guard case .text(let title)? = value("title") else { return nil }
        let words = trimmed(title)
        return words.isEmpty ? nil : shortened(words, to: 300)
    }

    /// The first words of the text that are not its title, in one line.
    package var snippet: [UInt8] {
        let title = givenTitle == nil ? TextTitle(bytes, from: textStart)?.line : nil
        return NotesCore.snippet(bytes, from: textStart, title: title)
    }

    /// Those of the front matter first, then those in the text; each once.
    package var tags: [[UInt8]] {
        var tags = TagList()
        for tag in list("tags") ?? list("tag") ?? [] { tags.insert(tag) }
        for tag in inlineTags(bytes, Prose(bytes, from: textStart)) { tags.insert(tag) }
        return tags.tags
    }

    package var aliases: [[UInt8]] { list("aliases") ?? list("alias") ?? [] }

    package var isFavorite: Bool { flag("favorite") || flag("starred") }
    package var isPinned: Bool { flag("pinned") }

    /// Nil if the front matter does not say it.
    package var created: NoteTime? {
        for key in ["created", "date"] {
            if case .text(let text)? = value(key), let date = noteDate(text) { return date }
        }
        return nil
    }

    package var links: [NoteLink] { noteLinks(bytes, Prose(bytes, from: textStart)) }

    private func flag(_ key: String) -> Bool {
        guard case .text(let text)? = value(key) else { return false }
        return ["true", "yes", "on", "1"].contains { text.equalsFolded(Array($0.utf8)) }
    }

    /// A single text stands for a list of what its commas part.
    private func list(_ key: String) -> [[UInt8]]? {
        switch value(key) {
        case .list(let items): return items
        case .text(let text):
            return text.split(separator: .comma).map { trimmed(Array($0)) }.filter { !$0.isEmpty }
        case .empty, .other, nil: return nil
        }
    }

    // MARK: Changing

    /// The bytes with another value under a key of the front matter; `empty` takes the key out.
    package func setting(_ key: String, to value: FrontMatterValue) -> [UInt8] {
        FrontMatter.setting(Array(key.utf8), to: value, in: bytes)
    }

    /// The bytes with more tags in the front matter; those that are there stay as they are.
    package func adding(tags: [[UInt8]]) -> [UInt8] {
        var all = TagList()
        for tag in (list("tags") ?? []) + tags { all.insert(tag) }
        return setting("tags", to: .list(all.tags))
    }

    /// The bytes with a heading before the text, and an empty line between the two.
    package func adding(heading title: [UInt8]) -> [UInt8] {
        let ending = bytes.lineEnding
        let heading = [.number, .space] + title + ending
        let text = bytes[textStart...]
        return bytes[..<textStart] + heading + (text.isEmpty ? [] : ending + text)
    }

    /// The bytes with more text behind them, and a line's end between the two if there was none.
    package func appending(_ text: [UInt8]) -> [UInt8] {
        guard let last = bytes.last, !text.isEmpty, !isLineEnding(last) else {
            return bytes + text
        }
        return bytes + bytes.lineEnding + text
    }
}
