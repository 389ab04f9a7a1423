import Foundation
import SyncCore

/// The objects that an evaluation has met, each with a number that stands for it in the core.
struct PredicateObjects {
    private var objects: [Any] = []

    /// The value in the core's terms; what the core does not know becomes a numbered object.
    mutating func value(of any: Any?) -> PredicateValue {
        guard let any = unwrapped(any) else { return .null }
        return plain(any) ?? collection(any) ?? keep(any)
    }

    private func plain(_ any: Any) -> PredicateValue? {
        switch any {
        case is NSNull: .null
        case let flag as Bool: .bool(flag)
        case let text as String: .text(text)
        case let date as Date: .date(date.timeIntervalSinceReferenceDate)
        case let data as Data: .data(Array(data))
        case let number as NSNumber: number.predicateValue
        case let number as any BinaryInteger: Int64(exactly: number).map { .integer($0) }
        case let url as URL:
            .opaque(
                PredicateOpaque(type: Array("URL".utf8), identity: Array(url.absoluteString.utf8)))
        case let uuid as UUID:
            .opaque(
                PredicateOpaque(type: Array("UUID".utf8), identity: Array(uuid.uuidString.utf8)))
        default: nil
        }
    }

    private mutating func collection(_ any: Any) -> PredicateValue? {
        if let entries = any as? [String: Any] {
            let pairs = entries.map { (Array($0.key.utf8), value(of: $0.value)) }
            return .dictionary(Dictionary(pairs) { $1 })
        }
        if let members = any as? [Any] { return .array(members.map { value(of: $0) }) }
        if let members = any as? Set<AnyHashable> {
            return .array(members.map { value(of: $0.base) })
        }
        return nil
    }

    private mutating func keep(_ any: Any) -> PredicateValue {
        let place = identify(any) ?? objects.count
        if place == objects.count { objects.append(any) }
        var identity: [UInt8] = []
        identity.append(bigEndian: UInt64(place))
        return .opaque(PredicateOpaque(type: objectType, identity: identity))
    }

    private func identify(_ any: Any) -> Int? {
        guard type(of: any) is AnyClass else { return nil }
        let object = any as AnyObject
        return objects.firstIndex { type(of: $0) is AnyClass && ($0 as AnyObject) === object }
    }

    /// The value of an object's key.
    mutating func value(of object: PredicateOpaque, key: [UInt8]) -> PredicateValue? {
        guard object.type == objectType else { return nil }
        let place = object.identity.reduce(0) { $0 << 8 | Int($1) }
        guard objects.indices.contains(place) else { return nil }
        let found = Self.read(objects[place], key: String(decoding: key, as: UTF8.self))
        return found.map { value(of: $0) }
    }

    /// The value of any object's key.
    static func read(_ object: Any, key: String) -> Any? {
        switch object {
        case let item as NSMetadataItem: return item.value(forAttribute: key)
        case let entries as [String: Any]: return entries[key]
        case let keyed as any PredicateKeyed: return keyed.predicateValue(forKey: key)
        default: break
        }
        var mirror: Mirror? = Mirror(reflecting: object)
        while let level = mirror {
            if let child = level.children.first(where: { $0.label == key }) { return child.value }
            mirror = level.superclassMirror
        }
        return nil
    }
}

private let objectType = Array("object".utf8)

/// What is inside of optionals, however many.
private func unwrapped(_ any: Any?) -> Any? {
    guard let any else { return nil }
    let mirror = Mirror(reflecting: any)
    guard mirror.displayStyle == .optional else { return any }
    return unwrapped(mirror.children.first?.value)
}

extension NSNumber {
    fileprivate var predicateValue: PredicateValue {
        let double = doubleValue
        let isWhole = double.rounded(.towardZero) == double && abs(double) < 9e15
        let type = unsafe String(cString: objCType)
        guard type == "d" || type == "f" else { return .integer(int64Value) }
        return isWhole ? .integer(int64Value) : .double(double)
    }
}

// MARK: Evaluation

/// Evaluates a tree for any object of Foundation's world.
func outcome(
    of tree: PredicateTree, for object: Any?, variables: [String: Any]?
) -> Result<Bool, PredicateEvaluationError> {
    var objects = PredicateObjects()
    let evaluated = objects.value(of: object)
    let values = (variables ?? [:]).map { (Array($0.key.utf8), objects.value(of: $0.value)) }
    let context = PredicateContext(
        services: .foundation, variables: Dictionary(values) { $1 },
        lookup: { object, key throws(PredicateEvaluationError) in
            objects.value(of: object, key: key)
        })
    return Result { () throws(PredicateEvaluationError) in
        try tree.evaluation(of: evaluated, in: context)
    }
}

extension PredicateServices {
    /// With regular expressions, the person's language and the clock.
    static let foundation = PredicateServices(
        matches: matchesWhole, collate: order,
        now: { Date().timeIntervalSinceReferenceDate },
        random: { UInt64.random(in: .min ... .max) })
}

private func matchesWhole(
    _ text: [UInt8], _ pattern: [UInt8], _ options: PredicateOptions
) -> Bool? {
    let pattern = "^(?:\(String(decoding: pattern, as: UTF8.self)))$"
    let text = String(decoding: text, as: UTF8.self)
    let isCaseless = options.contains(.caseInsensitive)
    guard
        let expression = try? NSRegularExpression(
            pattern: pattern, options: isCaseless ? [.caseInsensitive] : [])
    else { return nil }
    let whole = NSRange(text.startIndex..., in: text)
    return expression.firstMatch(in: text, range: whole)?.range == whole
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
