import Foundation
import SyncCore
import Synchronization

/// The objects that predicates have met, each with a number that stands for it in the core.
///
/// Equal objects have one number. The numbers of this process are given once, so that the objects
/// of several predicates can be put together.
struct PredicateObjects {
    private var objects: [UInt64: Any] = [:]
    private var numbers: [AnyHashable: UInt64] = [:]
    private var identities: [ObjectIdentifier: UInt64] = [:]

    /// The value in the core's terms; what the core does not know becomes a numbered object.
    mutating func value(of any: Any?) -> PredicateValue {
        guard let any else { return .null }
        if let value = common(any) { return value }
        guard let inside = unwrapped(any) else { return .null }
        return plain(inside) ?? collection(inside) ?? keep(inside)
    }

    /// The types that come most, without the search that a cast is.
    private func common(_ any: Any) -> PredicateValue? {
        let type = type(of: any)
        if type == String.self { return (any as? String).map { .text($0) } }
        if type == Int.self { return (any as? Int).map { .integer(Int64($0)) } }
        if type == Double.self { return (any as? Double).map { .double($0) } }
        if type == Bool.self { return (any as? Bool).map { .bool($0) } }
        if type == Date.self {
            return (any as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
        }
        return nil
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
        var identity: [UInt8] = []
        identity.append(bigEndian: number(of: any))
        return .opaque(PredicateOpaque(type: objectType, identity: identity))
    }

    private mutating func number(of any: Any) -> UInt64 {
        let hashable = any as? AnyHashable
        let instance = type(of: any) is AnyClass ? ObjectIdentifier(any as AnyObject) : nil
        if let known = hashable.flatMap({ numbers[$0] }) { return known }
        if hashable == nil, let known = instance.flatMap({ identities[$0] }) { return known }
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        objects[number] = any
        if let hashable {
            numbers[hashable] = number
        } else if let instance {
            identities[instance] = number
        }
        return number
    }

    /// Takes in the objects of another predicate.
    mutating func add(_ other: PredicateObjects) {
        objects.merge(other.objects) { old, _ in old }
        numbers.merge(other.numbers) { old, _ in old }
        identities.merge(other.identities) { old, _ in old }
    }

    /// The object of a number; nil for an opaque value that is none of these.
    func object(of opaque: PredicateOpaque) -> Any? {
        guard opaque.type == objectType else { return nil }
        return objects[opaque.identity.reduce(0) { $0 << 8 | UInt64($1) }]
    }

    /// The value of an object's key.
    mutating func value(of object: PredicateOpaque, key: [UInt8]) -> PredicateValue? {
        guard let any = self.object(of: object) else { return nil }
        let found = Self.read(any, key: String(decoding: key, as: UTF8.self))
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
private let lastNumber = Atomic<UInt64>(0)

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

/// A tree, and the objects that stand in it by their numbers.
struct ParsedPredicate: @unchecked Sendable {
    let tree: PredicateTree
    let objects: PredicateObjects
    private let asksForKeysOnly: Bool

    init(_ tree: PredicateTree, _ objects: PredicateObjects) {
        self.tree = tree
        self.objects = objects
        asksForKeysOnly = tree.asksForKeysOnly
    }

    /// Evaluates the tree for any object of Foundation's world.
    func outcome(
        for object: Any?, variables: [String: Any]?
    ) -> Result<Bool, PredicateEvaluationError> {
        Result { () throws(PredicateEvaluationError) in
            try evaluation(of: object, variables: variables)
        }
    }

    /// False where there is no answer.
    func holds(for object: Any?, variables: [String: Any]?) -> Bool {
        do throws(PredicateEvaluationError) {
            return try evaluation(of: object, variables: variables)
        } catch {
            return false
        }
    }

    private func evaluation(
        of object: Any?, variables: [String: Any]?
    ) throws(PredicateEvaluationError) -> Bool {
        var objects = objects
        // Of a dictionary only what is asked for is looked at.
        let entries = asksForKeysOnly ? dictionary(object) : nil
        let evaluated = entries == nil ? objects.value(of: object) : .opaque(.evaluated)
        let context = PredicateContext(
            services: .foundation, variables: variableValues(variables, &objects),
            lookup: { object, key throws(PredicateEvaluationError) in
                if let entries, object == .evaluated {
                    return objects.value(of: entries[String(decoding: key, as: UTF8.self)])
                }
                return objects.value(of: object, key: key)
            })
        return try tree.evaluation(of: evaluated, in: context)
    }

    /// Only of the types that are dictionaries as they are: a cast would copy others.
    private func dictionary(_ object: Any?) -> [String: Any]? {
        guard let object, type(of: object) == [String: Any].self else { return nil }
        return object as? [String: Any]
    }
}

/// The variables in the core's terms.
func variableValues(
    _ variables: [String: Any]?, _ objects: inout PredicateObjects
) -> [[UInt8]: PredicateValue] {
    guard let variables, !variables.isEmpty else { return [:] }
    let values = variables.map { (Array($0.key.utf8), objects.value(of: $0.value)) }
    return Dictionary(values) { $1 }
}
