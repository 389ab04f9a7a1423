package import SyncCore

/// Three texts to be merged.
package struct MergeQuestion: Hashable, Sendable {
    package let base: [UInt8]
    package let first: [UInt8]
    package let second: [UInt8]

    package init(base: [UInt8], first: [UInt8], second: [UInt8]) {
        self.base = base
        self.first = first
        self.second = second
    }
}

/// What became of merging them, with what a person may be offered.
package struct MergeAnswer: Equatable, Sendable {
    package let result: TextMergeResult
    /// A merge by words; nil where there is none, or where the lines merge.
    package let suggestion: [UInt8]?

    package init(_ result: TextMergeResult, suggestion: [UInt8]?) {
        self.result = result
        self.suggestion = suggestion
    }

    /// Merges; words are looked at only where lines do not do.
    package init(to question: MergeQuestion) {
        result = TextMerge.merge(
            base: question.base, first: question.first, second: question.second)
        guard case .conflict = result else {
            suggestion = nil
            return
        }
        suggestion = TextMerge.suggestion(
            base: question.base, first: question.first, second: question.second)
    }
}

extension MergeQuestion: WireMessage {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, base)
        writer.field(2, first)
        writer.field(3, second)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let fields = try FieldTable(&reader)
        self.init(
            base: try fields.one(1).bytes(), first: try fields.one(2).bytes(),
            second: try fields.one(3).bytes())
    }
}

/// One of the fields 1 to 3 is the result.
extension MergeAnswer: WireMessage {
    package func write(to writer: inout ByteWriter) {
        switch result {
        case .merged(let text): writer.field(1, text)
        case .conflict(let regions): writer.structure(2) { $0.field(1, regions) }
        case .notText: writer.field(3, 0 as UInt64)
        }
        writer.field(4, suggestion)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let fields = try FieldTable(&reader)
        suggestion = try fields.bytes(ifPresent: 4)
        if let field = fields.maybe(1) {
            result = .merged(try field.bytes())
        } else if let field = fields.maybe(2) {
            result = .conflict(try FieldTable(field).structures(1))
        } else {
            _ = try fields.one(3)
            result = .notText
        }
    }
}

/// Lines as their first and the one after the last, of the base and of each side.
extension ConflictRegion: WireStructure {
    package func write(to writer: inout ByteWriter) {
        for (number, range) in [(1 as UInt64, base), (3, first), (5, second)] {
            writer.field(number, UInt64(range.lowerBound))
            writer.field(number + 1, UInt64(range.upperBound))
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let fields = try FieldTable(&reader)
        self.init(
            base: try fields.range(from: 1), first: try fields.range(from: 3),
            second: try fields.range(from: 5))
    }
}

extension FieldTable {
    fileprivate func range(from number: UInt64) throws(WireError) -> Range<Int> {
        let lower: Int = try one(number).integer()
        let end = try one(number + 1)
        let upper: Int = try end.integer()
        guard lower <= upper else { throw end.outOfRange }
        return lower..<upper
    }
}
