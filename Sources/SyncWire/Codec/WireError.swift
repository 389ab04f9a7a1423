/// Why bytes could not be read.
package struct WireError: Error, Hashable, Sendable {
    /// Counted from the first byte that was handed in.
    package let offset: Int
    package let problem: Problem

    package enum Problem: Hashable, Sendable {
        /// The bytes end within a value.
        case truncated
        /// More than ten bytes, or more than 64 bits.
        case overlongNumber
        /// A number does not fit the field.
        case numberOutOfRange(field: UInt64)
        /// Bytes where a number was expected, or the other way round.
        case wrongType(field: UInt64)
        /// Bytes of another count than the field has, or that the field's type forbids.
        case wrongBytes(field: UInt64)
        case missing(field: UInt64)
        /// Written by a later version that knows more cases; `field` is the case's number or the
        /// number of the field that holds it.
        case unknownCase(field: UInt64)
        /// The first byte of a message is not one that this version reads.
        case unsupportedVersion(UInt8)
    }

    package init(offset: Int, problem: Problem) {
        self.offset = offset
        self.problem = problem
    }

    /// The sender is newer than the reader: an update helps.
    package var needsNewerReader: Bool {
        switch problem {
        case .unknownCase, .unsupportedVersion: true
        default: false
        }
    }
}

extension WireError: CustomStringConvertible {
    package var description: String { "\(problem.text), at byte \(offset)" }
}

extension WireError.Problem {
    fileprivate var text: String {
        switch self {
        case .truncated: "the bytes end within a value"
        case .overlongNumber: "expected a number of at most 64 bits"
        case .numberOutOfRange(let field): "the number in field \(field) is out of range"
        case .wrongType(let field): "field \(field) is of another type than expected"
        case .wrongBytes(let field): "field \(field) has bytes that it cannot have"
        case .missing(let field): "expected field \(field)"
        case .unknownCase(let field): "case or field \(field) holds what only a later version knows"
        case .unsupportedVersion(let version): "format version \(version) is not known"
        }
    }
}
