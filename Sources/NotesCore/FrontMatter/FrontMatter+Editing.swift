extension FrontMatter {
    /// The text with another value for a key; `empty` takes the key out.
    ///
    /// Only the key's own lines change, or a line comes before the closing fence. A text without
    /// front matter gets a block at its start, and loses it again with its last line.
    static func setting(
        _ key: [UInt8], to value: FrontMatterValue, in bytes: [UInt8]
    ) -> [UInt8] {
        let ending = bytes.lineEnding
        guard let block = FrontMatter(bytes) else {
            guard let lines = entryLines(key, value, asBlock: false, ending) else { return bytes }
            let start = byteOrderMark(bytes)
            let fence = Array("---".utf8) + ending
            return bytes.replacing(start..<start, with: fence + lines + fence)
        }
        guard let entry = block.entry(key) else {
            guard let lines = entryLines(key, value, asBlock: false, ending) else { return bytes }
            return bytes.replacing(block.closing..<block.closing, with: lines)
        }
        let isBlock = bytes[entry.value].contains(.lineFeed)
        let lines = entryLines(entry.key, value, asBlock: isBlock, ending) ?? []
        let isLast = lines.isEmpty && block.hasOnly(entry, bytes)
        return bytes.replacing(isLast ? block.range : entry.lines, with: lines)
    }

    /// Whether nothing else stands between the fences.
    private func hasOnly(_ entry: FrontMatterEntry, _ bytes: [UInt8]) -> Bool {
        var lines = Lines(bytes, from: range.lowerBound)
        let inner = lines.next()?.next ?? range.lowerBound
        return entry.lines == inner..<closing
    }
}

/// A key's lines with their endings; nil for no value.
private func entryLines(
    _ key: [UInt8], _ value: FrontMatterValue, asBlock: Bool, _ ending: [UInt8]
) -> [UInt8]? {
    let start = scalar(key) + [.colon]
    switch value {
    case .empty, .other: return nil
    case .text(let text): return start + [.space] + scalar(text) + ending
    case .list(let items) where asBlock:
        var lines = start + ending
        for item in items { lines += Array("  - ".utf8) + scalar(item) + ending }
        return lines
    case .list(let items):
        var line = start + Array(" [".utf8)
        for (index, item) in items.enumerated() {
            if index > 0 { line += [.comma, .space] }
            line += scalar(item)
        }
        return line + [.closeBracket] + ending
    }
}

extension [UInt8] {
    fileprivate func replacing(_ range: Range<Int>, with other: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count - range.count + other.count)
        result += self[..<range.lowerBound]
        result += other
        result += self[range.upperBound...]
        return result
    }
}
