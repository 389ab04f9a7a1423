package import SyncCore

/// One field, whose number is the case.
extension Outcome: WireStructure {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .accepted(let number): writer.field(1, number)
        case .refused(let refusal): writer.field(2, UInt64(refusal.rawValue))
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        guard let field = try reader.nextField() else {
            throw WireError(offset: reader.offset, problem: .truncated)
        }
        switch field.number {
        case 1: self = .accepted(number: try field.unsigned())
        case 2: self = .refused(try field.choice())
        default: throw field.unknownCase
        }
        try reader.skipRest()
    }
}
