/// A link to another note or file: `[[Target#Part|words]]`; with `!` before it its content shows.
package struct NoteLink: Hashable, Sendable {
    /// Where it stands, brackets and all.
    package var range: Range<Int>
    package var isEmbedded: Bool
    /// All before the bar, as typed: a file's name may have a number sign in it.
    package var wholeTarget: [UInt8]
    /// Without the part of the note; empty for a link into its own note.
    package var target: [UInt8]
    /// The heading or, with `^`, the block; nil if the link has none.
    package var fragment: [UInt8]?
    /// The words after the bar, nil if the link has none.
    package var label: [UInt8]?
}

/// The links of a text, in order, but for those in code.
func noteLinks(_ bytes: [UInt8], _ prose: Prose) -> [NoteLink] {
    var links: [NoteLink] = []
    for range in prose.ranges {
        var index = range.lowerBound
        while index + 1 < range.upperBound {
            guard bytes[index] == .openBracket, bytes[index + 1] == .openBracket else {
                index += 1
                continue
            }
            guard let end = linkEnd(bytes, (index + 2)..<range.upperBound) else {
                index += 1
                continue
            }
            let isEmbedded = index > 0 && bytes[index - 1] == .exclamation
            let start = isEmbedded ? index - 1 : index
            if let link = link(bytes, (index + 2)..<end, start..<(end + 2), isEmbedded) {
                links.append(link)
            }
            index = end + 2
        }
    }
    return links
}

/// Where the closing brackets stand; nil if the line ends or another link opens before them.
private func linkEnd(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while index + 1 < range.upperBound, !isLineEnding(bytes[index]) {
        if bytes[index] == .closeBracket, bytes[index + 1] == .closeBracket { return index }
        if bytes[index] == .openBracket { return nil }
        index += 1
    }
    return nil
}

private func link(
    _ bytes: [UInt8], _ inner: Range<Int>, _ range: Range<Int>, _ isEmbedded: Bool
) -> NoteLink? {
    var whole = inner
    var label: [UInt8]?
    if let bar = bytes[inner].firstIndex(of: .bar) {
        // In a table the bar is written with a backslash.
        let isEscaped = bar > inner.lowerBound && bytes[bar - 1] == .backslash
        whole = inner.lowerBound..<(isEscaped ? bar - 1 : bar)
        label = Array(bytes[trimmed(bytes, (bar + 1)..<inner.upperBound)])
    }
    whole = trimmed(bytes, whole)
    guard !whole.isEmpty else { return nil }
    let sign = bytes[whole].firstIndex(of: .number)
    let target = trimmed(bytes, whole.lowerBound..<(sign ?? whole.upperBound))
    return NoteLink(
        range: range, isEmbedded: isEmbedded, wholeTarget: Array(bytes[whole]),
        target: Array(bytes[target]),
        fragment: sign.map { Array(bytes[trimmed(bytes, ($0 + 1)..<whole.upperBound)]) },
        label: label)
}
