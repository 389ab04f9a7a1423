/// The title that a text gives itself, and where its line stands.
struct TextTitle: Hashable {
    var text: [UInt8]
    var line: Range<Int>

    /// The first heading of level 1 or, without one, the first line with words in it.
    ///
    /// Signs at the line's start are left out, code is passed over; nil for a text without words.
    init?(_ bytes: [UInt8], from start: Int) {
        var first: TextTitle?
        var fence: Fence?
        for line in Lines(bytes, from: start) {
            let content = trimmed(bytes, line.range)
            if let open = fence {
                if open.isClosed(by: bytes, content) { fence = nil }
                continue
            }
            fence = Fence(bytes, content)
            guard fence == nil, !content.isEmpty else { continue }
            if headingLevel(bytes, content) == 1 {
                guard let title = TextTitle(bytes, headingText(bytes, content), content) else {
                    continue
                }
                self = title
                return
            }
            if first == nil { first = TextTitle(bytes, plainText(bytes, content), content) }
        }
        guard let first else { return nil }
        self = first
    }

    private init?(_ bytes: [UInt8], _ text: Range<Int>, _ line: Range<Int>) {
        guard !text.isEmpty else { return nil }
        self.text = shortened(Array(bytes[text]), to: titleLimit)
        self.line = line
    }
}

/// A title is cut at so many bytes.
private let titleLimit = 300

/// A line without the signs of headings, quotations and lists; empty for a rule.
func plainText(_ bytes: [UInt8], _ line: Range<Int>) -> Range<Int> {
    var range = trimmed(bytes, line)
    if isRule(bytes, range) { return range.upperBound..<range.upperBound }
    while !range.isEmpty {
        if headingLevel(bytes, range) != nil { return headingText(bytes, range) }
        if bytes[range.lowerBound] == .greater {
            range = trimmed(bytes, (range.lowerBound + 1)..<range.upperBound)
        } else if let start = listMarkerEnd(bytes, range) {
            range = trimmed(bytes, start..<range.upperBound)
        } else {
            return range
        }
    }
    return range
}

/// Cuts between characters and says with dots that it did.
func shortened(_ text: [UInt8], to limit: Int) -> [UInt8] {
    guard text.count > limit else { return text }
    return trimmed(text.cut(to: limit - 3)) + Array("…".utf8)
}
