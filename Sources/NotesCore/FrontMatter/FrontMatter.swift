/// The block between two lines `---` at a text's start: keys and values about the note.
///
/// A small part of YAML is understood: a value is a text or a list of texts. Anything else is left
/// as it is, and so is every byte that a change does not need to touch. A block without its closing
/// line, that begins with something other than a key, or that has nothing in it, is text.
package struct FrontMatter: Hashable, Sendable {
    /// With both fences and the closing one's line ending.
    package var range: Range<Int>
    /// Where the closing fence stands.
    var closing: Int
    var entries: [FrontMatterEntry] = []

    /// Nil if the text has none.
    init?(_ bytes: [UInt8]) {
        let start = byteOrderMark(bytes)
        var lines = Lines(bytes, from: start)
        guard let opening = lines.next(), isFence(bytes, opening, ends: false) else { return nil }
        range = start..<bytes.count
        closing = bytes.count
        guard read(bytes, &lines), closing > opening.next else { return nil }
    }

    /// False if this is no front matter after all.
    private mutating func read(_ bytes: [UInt8], _ lines: inout Lines) -> Bool {
        var isFirst = true
        while let line = lines.next() {
            if isFence(bytes, line, ends: true) {
                closing = line.start
                range = range.lowerBound..<line.next
                return true
            }
            let content = trimmed(bytes, line.range)
            if content.isEmpty || bytes[content.lowerBound] == .number { continue }
            if let entry = FrontMatterEntry(bytes, line) {
                entries.append(entry)
            } else if isFirst {
                return false
            } else if !entries.isEmpty, continues(bytes, line) {
                entries[entries.count - 1].extend(to: line)
            }
            isFirst = false
        }
        return false
    }

    /// Whether the line belongs to the key above it.
    private func continues(_ bytes: [UInt8], _ line: TextLine) -> Bool {
        let first = bytes[line.start]
        return isBlank(first) || first == .hyphen || first == .closeBracket
    }

    /// The first entry with a key; case does not matter.
    func entry(_ key: [UInt8]) -> FrontMatterEntry? {
        for entry in entries where entry.key.equalsFolded(key) { return entry }
        return nil
    }
}

/// A key and what stands behind it.
struct FrontMatterEntry: Hashable, Sendable {
    var key: [UInt8]
    /// The whole lines.
    var lines: Range<Int>
    /// What stands behind the colon, to the end of the last line.
    var value: Range<Int>

    /// Nil if the line has no key at its very start.
    init?(_ bytes: [UInt8], _ line: TextLine) {
        guard let first = line.range.isEmpty ? nil : bytes[line.start] else { return nil }
        let excluded: [UInt8] = [
            .hyphen, .number, .closeBracket, .openBracket, .colon, UInt8(ascii: "{"),
            UInt8(ascii: "}"), UInt8(ascii: "?"), UInt8(ascii: "|"), .greater, .comma,
        ]
        if isBlank(first) || excluded.contains(first) { return nil }
        guard let colon = Self.colon(bytes, line) else { return nil }
        var name = trimmed(bytes, line.start..<colon)
        let isQuoted =
            name.count >= 2 && (first == .quote || first == .apostrophe)
            && bytes[name.upperBound - 1] == first
        if isQuoted { name = (name.lowerBound + 1)..<(name.upperBound - 1) }
        guard !name.isEmpty else { return nil }
        key = Array(bytes[name])
        lines = line.start..<line.next
        value = (colon + 1)..<line.end
    }

    mutating func extend(to line: TextLine) {
        lines = lines.lowerBound..<line.next
        value = value.lowerBound..<line.end
    }

    /// The first colon with a blank or nothing behind it.
    private static func colon(_ bytes: [UInt8], _ line: TextLine) -> Int? {
        var index = line.start
        while index < line.end {
            let isLast = index + 1 == line.end
            if bytes[index] == .colon, isLast || isBlank(bytes[index + 1]) { return index }
            index += 1
        }
        return nil
    }
}

/// Behind the mark that some editors put before a text.
func byteOrderMark(_ bytes: [UInt8]) -> Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

private func isFence(_ bytes: [UInt8], _ line: TextLine, ends: Bool) -> Bool {
    guard line.end - line.start >= 3 else { return false }
    let isFence = bytes.has("---", at: line.start) || (ends && bytes.has("...", at: line.start))
    return isFence && bytes[(line.start + 3)..<line.end].allSatisfy(isBlank)
}
