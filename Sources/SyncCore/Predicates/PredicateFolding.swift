/// The default folding of `[c]` and `[d]`, with the standard library's Unicode properties.
///
/// - `[c]` maps each character to upper and then to lower case, by Unicode's full mappings without
///   any language's rules: ß equals SS, final sigma equals sigma, dotless i stays itself.
/// - `[d]` takes the marks off letters that have a canonical decomposition, and drops combining
///   marks: é equals e, ø stays (it has no decomposition), Hangul stays.
/// - Without `[d]` a composed and a decomposed é stay different: only bytes count.
/// - Bytes that are no UTF-8 stay as they are.
package enum PredicateFolding {
    package static func fold(_ text: [UInt8], _ options: PredicateOptions) -> [UInt8] {
        let ignoresCase = options.contains(.caseInsensitive)
        let ignoresMarks = options.contains(.diacriticInsensitive)
        guard ignoresCase || ignoresMarks, !options.contains(.normalized) else { return text }
        if text.allSatisfy({ $0 < 0x80 }) { return ignoresCase ? text.asciiLowercased : text }

        var folded: [UInt8] = []
        folded.reserveCapacity(text.count)
        for scalar in PredicateScalars.decode(text) {
            if scalar < 0x80 {
                let byte = UInt8(scalar)
                folded.append(contentsOf: ignoresCase ? [byte].asciiLowercased : [byte])
                continue
            }
            guard let plain = ignoresMarks ? withoutMarks(scalar) : scalar else { continue }
            if ignoresCase {
                appendLowercase(plain, to: &folded)
            } else {
                PredicateScalars.append(plain, to: &folded)
            }
        }
        return folded
    }

    /// The letter without its marks; nil for a mark alone.
    private static func withoutMarks(_ scalar: UInt32) -> UInt32? {
        if let base = PredicateDiacritics.base(scalar) { return base }
        guard let character = Unicode.Scalar(scalar) else { return scalar }
        let combiningClass = character.properties.canonicalCombiningClass
        let isMark = combiningClass != .notReordered && combiningClass != .virama
        return isMark ? nil : scalar
    }

    private static func appendLowercase(_ scalar: UInt32, to text: inout [UInt8]) {
        let dotlessI: UInt32 = 0x131
        guard scalar != dotlessI, let character = Unicode.Scalar(scalar) else {
            return PredicateScalars.append(scalar, to: &text)
        }
        for upper in character.properties.uppercaseMapping.unicodeScalars {
            text.append(contentsOf: upper.properties.lowercaseMapping.utf8)
        }
    }

    /// The text in lower case, by Unicode's full mappings.
    static func lowercase(_ text: [UInt8]) -> [UInt8] {
        map(text) { $0.properties.lowercaseMapping }
    }

    /// The text in upper case, by Unicode's full mappings.
    static func uppercase(_ text: [UInt8]) -> [UInt8] {
        map(text) { $0.properties.uppercaseMapping }
    }

    private static func map(_ text: [UInt8], _ change: (Unicode.Scalar) -> String) -> [UInt8] {
        var result: [UInt8] = []
        for scalar in PredicateScalars.decode(text) {
            if let character = Unicode.Scalar(scalar) {
                result.append(contentsOf: change(character).utf8)
            } else {
                PredicateScalars.append(scalar, to: &result)
            }
        }
        return result
    }
}
