package import SyncCore

/// What the server answers to an ``OperationsMessage``.
package struct OperationsAnswer: Hashable, Sendable {
    package let answer: RequestAnswer

    package init(_ answer: RequestAnswer) { self.answer = answer }
}

/// One field, whose number is the case; outcomes are within one structure, so that none is a case.
extension OperationsAnswer: WireMessage {
    package func write(to writer: inout ByteWriter) {
        switch answer {
        case .outcomes(let outcomes): writer.structure(1) { $0.field(1, outcomes) }
        case .numberGap(let last): writer.field(2, last)
        case .otherIncarnationNeeded: writer.field(3, 0 as UInt64)
        case .historyUnknown: writer.field(4, 0 as UInt64)
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        guard let field = try reader.nextField() else {
            throw WireError(offset: reader.offset, problem: .truncated)
        }
        switch field.number {
        case 1: answer = .outcomes(try OperationsAnswer.outcomes(from: field))
        case 2: answer = .numberGap(last: try field.unsigned())
        case 3: answer = .otherIncarnationNeeded
        case 4: answer = .historyUnknown
        default: throw field.unknownCase
        }
        try reader.skipRest()
    }

    private static func outcomes(from field: WireField) throws(WireError) -> [Outcome] {
        var reader = try field.inside()
        var outcomes: [Outcome] = []
        while let field = try reader.nextField() {
            guard field.number == 1 else { continue }
            outcomes.append(try field.structure())
        }
        return outcomes
    }
}
