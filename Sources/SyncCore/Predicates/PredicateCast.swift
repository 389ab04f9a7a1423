/// The conversions of CAST, by the names of Foundation's classes.
///
/// Besides what Foundation casts, there is a spelling for each constant that has no literal: data
/// as hexadecimal text, a dictionary as a list of keys and values, an object as type and identity.
enum PredicateCast {
    /// The converted value; nil if there is no such conversion.
    static func cast(_ value: PredicateValue, to type: [UInt8]) -> PredicateValue? {
        switch String(decoding: type, as: UTF8.self) {
        case "NSString", "String": string(value)
        case "NSNumber", "NSDecimalNumber": number(value)
        case "NSDate", "Date": date(value)
        case "NSData", "Data": data(value)
        case "NSDictionary": dictionary(value)
        case "Object": object(value)
        default: nil
        }
    }

    private static func string(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .null, .string: value
        case .bool(let flag): .text(flag ? "1" : "0")
        case .integer(let number): .text(number.description)
        case .double(let number): .text(number.description)
        default: nil
        }
    }

    private static func number(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .null, .bool, .integer, .double: value
        case .date(let seconds): .double(seconds)
        case .string(let text): PredicateNumber.parse(text)
        default: nil
        }
    }

    private static func date(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .null, .date: value
        case .bool(let flag): .date(flag ? 1 : 0)
        case .integer(let number): .date(Double(number))
        case .double(let number): .date(number)
        case .string(let text): PredicateDate.parse(text).map { .date($0) }
        default: nil
        }
    }

    private static func data(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .null, .data: value
        case .string(let text): bytes(text).map { .data($0) }
        default: nil
        }
    }

    private static func dictionary(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .null, .dictionary: return value
        case .array(let parts) where parts.count.isMultiple(of: 2):
            var entries: [[UInt8]: PredicateValue] = [:]
            for place in stride(from: 0, to: parts.count, by: 2) {
                guard case .string(let key) = parts[place] else { return nil }
                entries[key] = parts[place + 1]
            }
            return .dictionary(entries)
        default: return nil
        }
    }

    private static func object(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .null, .opaque: return value
        case .array(let parts) where parts.count == 2:
            guard case .string(let type) = parts[0], case .string(let text) = parts[1],
                let identity = bytes(text)
            else { return nil }
            return .opaque(PredicateOpaque(type: type, identity: identity))
        default: return nil
        }
    }

    private static func bytes(_ text: [UInt8]) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: text.count, by: 2) {
            guard let high = text[place].digitValue, let low = text[place + 1].digitValue else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
