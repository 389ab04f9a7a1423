import Foundation
import SyncCore
import Synchronization

extension PredicateServices {
    /// With regular expressions, the person's language and the clock.
    static let foundation = PredicateServices(
        matches: matchesWhole, collate: order,
        conforms: { UniformType.conforms($0, $1) },
        now: { Date().timeIntervalSinceReferenceDate },
        random: { UInt64.random(in: .min ... .max) })
}

private func matchesWhole(
    _ text: [UInt8], _ pattern: [UInt8], _ options: PredicateOptions
) -> Bool? {
    guard let expression = expressions.expression(pattern, options) else { return nil }
    let text = String(decoding: text, as: UTF8.self)
    let whole = NSRange(text.startIndex..., in: text)
    return expression.firstMatch(in: text, range: whole)?.range == whole
}

private let expressions = ExpressionCache()

/// The expression that was used last: a query asks for one many times.
private final class ExpressionCache: Sendable {
    private let last = Mutex<Entry?>(nil)

    private struct Entry {
        let pattern: [UInt8]
        let options: PredicateOptions
        let expression: NSRegularExpression
    }

    /// Nil if the pattern is none.
    func expression(
        _ pattern: [UInt8], _ options: PredicateOptions
    ) -> NSRegularExpression? {
        last.withLock { last in
            if let last, last.pattern == pattern, last.options == options { return last.expression }
            let isCaseless = options.contains(.caseInsensitive)
            let whole = "^(?:\(String(decoding: pattern, as: UTF8.self)))$"
            guard
                let expression = try? NSRegularExpression(
                    pattern: whole, options: isCaseless ? [.caseInsensitive] : [])
            else { return nil }
            last = Entry(pattern: pattern, options: options, expression: expression)
            return expression
        }
    }
}

private func order(
    _ left: [UInt8], _ right: [UInt8], _ options: PredicateOptions
) -> PredicateOrder {
    var comparison: String.CompareOptions = []
    if options.contains(.caseInsensitive) { comparison.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { comparison.insert(.diacriticInsensitive) }
    let result = String(decoding: left, as: UTF8.self).compare(
        String(decoding: right, as: UTF8.self), options: comparison, locale: .current)
    return switch result {
    case .orderedAscending: .ascending
    case .orderedSame: .same
    case .orderedDescending: .descending
    }
}
