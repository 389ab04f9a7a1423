/// The tags that stand in the text: `#word`, after a blank or at the start of a line.
///
/// A tag has letters, digits, `-`, `_` and `/`, and not digits alone. Each is given once, without
/// its sign, as it was typed first; case does not tell tags apart.
func inlineTags(_ bytes: [UInt8], _ prose: Prose) -> [[UInt8]] {
    var tags = TagList()
    for range in prose.ranges {
        var index = range.lowerBound
        while index < range.upperBound {
            guard bytes[index] == .number, isTagStart(bytes, index) else {
                index += 1
                continue
            }
            let end = tagEnd(bytes, (index + 1)..<range.upperBound)
            tags.insert(Array(bytes[(index + 1)..<end]))
            index = max(end, index + 1)
        }
    }
    return tags.tags
}

/// Tags in the order in which they came.
struct TagList {
    private(set) var tags: [[UInt8]] = []
    private var known: Set<[UInt8]> = []

    /// Leaves out what is no tag, and what is there.
    mutating func insert(_ tag: [UInt8]) {
        guard let tag = normalTag(tag) else { return }
        var folded = tag
        for index in folded.indices { folded[index] = folded[index].lowercased }
        if known.insert(folded).inserted { tags.append(tag) }
    }
}

/// Without a number sign before it and slashes at its ends; nil if that leaves no tag.
private func normalTag(_ text: [UInt8]) -> [UInt8]? {
    var range = trimmed(text, 0..<text.count)
    if !range.isEmpty, text[range.lowerBound] == .number {
        range = (range.lowerBound + 1)..<range.upperBound
    }
    while !range.isEmpty, text[range.upperBound - 1] == .slash {
        range = range.lowerBound..<(range.upperBound - 1)
    }
    while !range.isEmpty, text[range.lowerBound] == .slash {
        range = (range.lowerBound + 1)..<range.upperBound
    }
    guard text[range].contains(where: { !$0.isDigit && $0 != .slash }) else { return nil }
    return Array(text[range])
}

private func isTagStart(_ bytes: [UInt8], _ index: Int) -> Bool {
    guard index > 0 else { return true }
    return isBlank(bytes[index - 1]) || isLineEnding(bytes[index - 1])
}

private func tagEnd(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
    var index = range.lowerBound
    while index < range.upperBound {
        let byte = bytes[index]
        if byte.isLetter || byte.isDigit || [.hyphen, .underscore, .slash].contains(byte) {
            index += 1
        } else if byte >= 0x80, !startsPunctuation(bytes, index) {
            index += 1
        } else {
            break
        }
    }
    return index
}

/// Typographic signs and the full-width ones of Chinese and Japanese, which end a word.
private func startsPunctuation(_ bytes: [UInt8], _ index: Int) -> Bool {
    guard index + 1 < bytes.count else { return false }
    switch (bytes[index], bytes[index + 1]) {
    case (0xC2, 0xA0...0xA9), (0xC2, 0xAB...0xB4), (0xC2, 0xB6...0xB9), (0xC2, 0xBB...0xBF):
        return true
    case (0xE2, 0x80): return index + 2 < bytes.count && bytes[index + 2] != 0x8D
    case (0xE3, 0x80): return index + 2 < bytes.count && bytes[index + 2] <= 0xBF
    case (0xEF, 0xBC): return index + 2 < bytes.count && bytes[index + 2] <= 0x8F
    default: return false
    }
}
