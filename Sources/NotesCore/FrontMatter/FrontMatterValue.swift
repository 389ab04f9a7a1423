/// What a key of the front matter says.
package enum FrontMatterValue: Hashable, Sendable {
    /// The key stands there with nothing behind it.
    case empty
    case text([UInt8])
    case list([[UInt8]])
    /// Well-formed or not, it is nothing that we understand.
    case other
}

extension FrontMatterValue {
    /// Reads what stands behind a key's colon.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        var lines = Lines(bytes, in: range)
        let first =
            lines.next() ?? TextLine(start: range.lowerBound, end: range.lowerBound, next: 0)
        let content = trimmed(bytes, first.range)
        if content.isEmpty || bytes[content.lowerBound] == .number {
            self = Self.block(bytes, first.next..<max(first.next, range.upperBound))
        } else if bytes[content.lowerBound] == .openBracket {
            self = Self.flow(bytes, content.lowerBound..<range.upperBound)
        } else if lines.next() != nil {
            self = .other
        } else {
            self = Self.scalar(bytes, content)
        }
    }

    /// Lines with a hyphen and a text each.
    private static func block(_ bytes: [UInt8], _ range: Range<Int>) -> FrontMatterValue {
        guard range.lowerBound > 0 else { return .empty }
        var items: [[UInt8]] = []
        for line in Lines(bytes, in: range) {
            let content = trimmed(bytes, line.range)
            if content.isEmpty || bytes[content.lowerBound] == .number { continue }
            guard bytes[content.lowerBound] == .hyphen else { return .other }
            let start = content.lowerBound + 1
            guard start == content.upperBound || isBlank(bytes[start]) else { return .other }
            switch scalar(bytes, trimmed(bytes, start..<content.upperBound)) {
            case .text(let text): items.append(text)
            case .empty: break
            case .list, .other: return .other
            }
        }
        return items.isEmpty ? .empty : .list(items)
    }

    /// A list in brackets, as in `[a, "b, c"]`.
    private static func flow(_ bytes: [UInt8], _ range: Range<Int>) -> FrontMatterValue {
        var items: [[UInt8]] = []
        var start = range.lowerBound + 1
        var index = start
        func isFirst(_ range: Range<Int>) -> Bool { trimmed(bytes, range).isEmpty }
        while index < range.upperBound {
            let byte = bytes[index]
            switch byte {
            case .quote where isFirst(start..<index), .apostrophe where isFirst(start..<index):
                guard let end = quoteEnd(bytes, index..<range.upperBound) else { return .other }
                index = end
                continue
            case .comma, .closeBracket:
                switch scalar(bytes, trimmed(bytes, start..<index)) {
                case .text(let text): items.append(text)
                case .empty: break
                case .list, .other: return .other
                }
                start = index + 1
            case .openBracket, UInt8(ascii: "{"): return .other
            default: break
            }
            index += 1
            if byte == .closeBracket {
                return isEndOfValue(bytes, index..<range.upperBound) ? .list(items) : .other
            }
        }
        return .other
    }

    /// One text, in quotes or not; the range has no blanks at its ends.
    private static func scalar(_ bytes: [UInt8], _ range: Range<Int>) -> FrontMatterValue {
        guard !range.isEmpty else { return .empty }
        let first = bytes[range.lowerBound]
        if first == .quote || first == .apostrophe {
            guard let end = quoteEnd(bytes, range),
                isEndOfValue(bytes, end..<range.upperBound),
                let text = unquoted(bytes, range.lowerBound..<end)
            else { return .other }
            return .text(text)
        }
        if isIndicator(first) && first != .hyphen && first != .colon { return .other }
        let text = Array(bytes[plainScalar(bytes, range)])
        let isNull = text.isEmpty || text == [.tilde] || text.equalsFolded(Array("null".utf8))
        return isNull ? .empty : .text(text)
    }

    /// Without a comment at the end.
    private static func plainScalar(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
        var index = range.lowerBound
        while index < range.upperBound {
            let isComment =
                bytes[index] == .number
                && (index == range.lowerBound || isBlank(bytes[index - 1]))
            if isComment { break }
            index += 1
        }
        return trimmed(bytes, range.lowerBound..<index)
    }

    /// Nothing or a comment.
    private static func isEndOfValue(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        let rest = trimmed(bytes, range)
        return rest.isEmpty || (bytes[rest.lowerBound] == .number && rest != range)
    }
}

/// Signs that begin something other than a plain text.
func isIndicator(_ byte: UInt8) -> Bool { Array("-?:,[]{}#&*!|>'\"%@`".utf8).contains(byte) }
