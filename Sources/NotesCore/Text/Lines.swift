/// A line of a text, by offsets into its bytes.
struct TextLine: Hashable {
    var start: Int
    /// Before the line's ending.
    var end: Int
    /// After the line's ending: the start of the next line.
    var next: Int

    var range: Range<Int> { start..<end }
}

/// The lines of a text, which end with a line feed, a carriage return, or both.
///
/// A text that ends with a line ending has no empty line after it.
struct Lines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    init(_ bytes: [UInt8], from start: Int = 0) {
        self.init(bytes, in: start..<bytes.count)
    }

    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    mutating func next() -> TextLine? {
        guard position < end else { return nil }
        var line = TextLine(start: position, end: position, next: position)
        while line.end < end, !isLineEnding(bytes[line.end]) { line.end += 1 }
        line.next = line.end
        if line.next < end {
            let isPair =
                bytes[line.next] == .carriageReturn && line.next + 1 < end
                && bytes[line.next + 1] == .lineFeed
            line.next += isPair ? 2 : 1
        }
        position = line.next
        return line
    }
}

func isLineEnding(_ byte: UInt8) -> Bool { byte == .lineFeed || byte == .carriageReturn }

/// A space or a tab.
func isBlank(_ byte: UInt8) -> Bool { byte == .space || byte == .tab }

/// The part of a range without blanks at its ends.
func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, isBlank(bytes[start]) || isLineEnding(bytes[start]) { start += 1 }
    while end > start, isBlank(bytes[end - 1]) || isLineEnding(bytes[end - 1]) { end -= 1 }
    return start..<end
}

/// The bytes without blanks at their ends.
func trimmed(_ bytes: [UInt8]) -> [UInt8] { Array(bytes[trimmed(bytes, 0..<bytes.count)]) }

extension [UInt8] {
    /// The first line's ending, or a line feed if the text has none.
    var lineEnding: [UInt8] {
        var lines = Lines(self)
        guard let first = lines.next(), first.next > first.end else { return [.lineFeed] }
        return Array(self[first.end..<first.next])
    }

    /// Whether the text stands at an offset.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard offset + count <= self.count else { return false }
        return text.withUTF8Buffer { wanted in
            var index = 0
            while index < count {
                if unsafe self[offset + index] != wanted[index] { return false }
                index += 1
            }
            return true
        }
    }
}
