import Glibc
import SyncCore
import Synchronization

extension PredicateServices {
    /// What a command gives to a predicate: the standard library's regular expressions, the clock.
    static let command = PredicateServices(
        matches: { text, pattern, options in regexes.matches(text, pattern, options) },
        conforms: { UniformType.conforms($0, $1) },
        now: { secondsSinceReferenceDate() },
        random: { UInt64.random(in: .min ... .max) })
}

private let regexes = RegexCache()

/// The expression that was used last: a search asks for one many times.
private final class RegexCache: Sendable {
    private let last = Mutex<Entry?>(nil)

    private struct Entry {
        let pattern: [UInt8]
        let options: PredicateOptions
        let regex: Regex<AnyRegexOutput>
    }

    /// Nil if the pattern is none.
    func matches(_ text: [UInt8], _ pattern: [UInt8], _ options: PredicateOptions) -> Bool? {
        last.withLock { last in
            if last?.pattern != pattern || last?.options != options {
                last = RegexCache.compile(pattern, options)
            }
            guard let regex = last?.regex else { return nil }
            return ((try? regex.wholeMatch(in: String(decoding: text, as: UTF8.self))) ?? nil)
                != nil
        }
    }

    private static func compile(_ pattern: [UInt8], _ options: PredicateOptions) -> Entry? {
        guard let regex = try? Regex(String(decoding: pattern, as: UTF8.self)) else { return nil }
        // As ICU does it.
        let byScalars = regex.matchingSemantics(.unicodeScalar)
            .ignoresCase(options.contains(.caseInsensitive))
        return Entry(pattern: pattern, options: options, regex: byScalars)
    }
}

private func secondsSinceReferenceDate() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return FileTime(seconds: Int64(time.tv_sec), nanoseconds: UInt32(time.tv_nsec))
        .secondsSinceReferenceDate
}
