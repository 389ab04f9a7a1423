/// Why a format text is no predicate, and where.
package struct PredicateFormatError: Error, Sendable, Equatable {
    /// The place in the format text, in UTF-8 bytes.
    package let offset: Int
    /// What would have been right there: "a comparison operator".
    package let expected: String
    package let format: [UInt8]
}

extension PredicateFormatError: CustomStringConvertible {
    /// Two lines that quote the format text around the place, and a mark under the place.
    package var description: String {
        let start = Swift.max(0, offset - 40)
        let before = Self.printable(format[start..<Swift.min(offset, format.count)])
        let after = Self.printable(format[Swift.min(offset, format.count)...].prefix(40))
        let indent = String(repeating: " ", count: before.unicodeScalars.count)
        return "expected \(expected) at byte \(offset)\n\(before)\(after)\n\(indent)^"
    }

    private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.map { $0 < 0x20 || $0 == 0x7f ? 0x20 : $0 }, as: UTF8.self)
    }
}
