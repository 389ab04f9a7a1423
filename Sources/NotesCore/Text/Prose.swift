/// The parts of a Markdown text that are no code: where tags and links mean something.
///
/// Code is what stands in fences, in backticks, or is indented by four columns after an empty line
/// outside a list. The cost grows with the length of the text alone.
struct Prose {
    /// In order, without overlap; none crosses an empty line.
    private(set) var ranges: [Range<Int>] = []
    private let bytes: [UInt8]
    private var fence: Fence?
    /// The paragraph that is being read.
    private var paragraph: Range<Int>?
    private var followsBlank = true
    private var isInList = false

    /// Reads from where the front matter ends.
    init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        for line in Lines(bytes, from: start) { take(line) }
        endParagraph()
    }

    private mutating func take(_ line: TextLine) {
        let text = contentStart(line)
        if let open = fence {
            if open.isClosed(by: bytes, text..<line.end) { fence = nil }
            return
        }
        if text == line.end {
            endParagraph()
            followsBlank = true
            return
        }
        if let opened = Fence(bytes, text..<line.end) {
            endParagraph()
            fence = opened
            followsBlank = true
            return
        }
        if isIndentedCode(line) { return }
        takeProse(line, text)
        followsBlank = false
    }

    private mutating func takeProse(_ line: TextLine, _ text: Int) {
        let indent = indentation(line)
        if isListItem(text..<line.end) {
            isInList = true
        } else if followsBlank, indent == 0 {
            isInList = false
        }
        if headingLevel(bytes, text..<line.end) != nil {
            endParagraph()
            paragraph = line.range
            endParagraph()
        } else {
            paragraph = (paragraph?.lowerBound ?? line.start)..<line.next
        }
    }

    /// Where the text starts, after blanks and the signs of quotations.
    private func contentStart(_ line: TextLine) -> Int {
        var index = line.start
        while index < line.end, isBlank(bytes[index]) || bytes[index] == .greater { index += 1 }
        return index
    }

    private func indentation(_ line: TextLine) -> Int {
        var columns = 0
        for byte in bytes[line.range] {
            if byte == .space {
                columns += 1
            } else if byte == .tab {
                columns += 4 - columns % 4
            } else {
                break
            }
        }
        return columns
    }

    private func isIndentedCode(_ line: TextLine) -> Bool {
        followsBlank && !isInList && indentation(line) >= 4
    }

    private func isListItem(_ range: Range<Int>) -> Bool {
        listMarkerEnd(bytes, range) != nil
    }

    // MARK: Backticks

    /// Adds the paragraph without what stands in backticks.
    private mutating func endParagraph() {
        guard let whole = paragraph else { return }
        paragraph = nil
        let runs = backtickRuns(whole)
        let closers = closers(of: runs)
        var start = whole.lowerBound
        var index = 0
        while index < runs.count {
            guard let closer = closers[index] else {
                index += 1
                continue
            }
            add(start..<runs[index].lowerBound)
            start = runs[closer].upperBound
            index = closer + 1
        }
        add(start..<whole.upperBound)
    }

    private mutating func add(_ range: Range<Int>) {
        if !range.isEmpty { ranges.append(range) }
    }

    private func backtickRuns(_ range: Range<Int>) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] == .backtick {
                let start = index
                while index < range.upperBound, bytes[index] == .backtick { index += 1 }
                runs.append(start..<index)
            } else {
                index += 1
            }
        }
        return runs
    }

    /// For each run the next one of the same length.
    private func closers(of runs: [Range<Int>]) -> [Int?] {
        var closers = [Int?](repeating: nil, count: runs.count)
        var next: [Int: Int] = [:]
        for index in runs.indices.reversed() {
            closers[index] = isEscaped(runs[index]) ? nil : next[runs[index].count]
            next[runs[index].count] = index
        }
        return closers
    }

    /// After a backslash a single backtick opens nothing.
    private func isEscaped(_ run: Range<Int>) -> Bool {
        var backslashes = 0
        var index = run.lowerBound - 1
        while index >= 0, bytes[index] == .backslash {
            backslashes += 1
            index -= 1
        }
        return run.count == 1 && backslashes % 2 == 1
    }
}

/// The line that opened a block of code.
struct Fence: Hashable {
    private let sign: UInt8
    private let count: Int

    /// Nil if the text, which starts with no blank, opens none.
    init?(_ bytes: [UInt8], _ range: Range<Int>) {
        guard let sign = range.isEmpty ? nil : bytes[range.lowerBound],
            sign == .backtick || sign == .tilde
        else { return nil }
        self.sign = sign
        var index = range.lowerBound
        while index < range.upperBound, bytes[index] == sign { index += 1 }
        count = index - range.lowerBound
        guard count >= 3 else { return nil }
        // `a` in one line is text in backticks.
        if sign == .backtick, bytes[index..<range.upperBound].contains(.backtick) { return nil }
    }

    func isClosed(by bytes: [UInt8], _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound, bytes[index] == sign { index += 1 }
        guard index - range.lowerBound >= count else { return false }
        return bytes[index..<range.upperBound].allSatisfy(isBlank)
    }
}
