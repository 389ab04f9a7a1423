public import Foundation
import SyncCore

extension NSExpression {
    /// The value of a constant; nil for any other expression.
    public var constantValue: Any? {
        guard case .constant(let value) = tree else { return nil }
        return objects.any(value)
    }

    /// The keys of a key path, joined by dots; nil for any other expression.
    public var keyPath: String? {
        guard case .keyPath(.evaluatedObject, let keys) = tree else { return nil }
        return keys.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    }

    /// The name of a function; nil for any other expression.
    public var function: String? {
        switch tree {
        case .function(let function, _): function.rawValue
        case .message(_, let selector, _): String(decoding: selector, as: UTF8.self)
        default: nil
        }
    }

    /// The name of a variable, without the dollar sign; nil for any other expression.
    public var variable: String? {
        switch tree {
        case .variable(let name), .assignment(let name, _): String(decoding: name, as: UTF8.self)
        case .subquery(_, let name, _): String(decoding: name, as: UTF8.self)
        default: nil
        }
    }

    /// What a key path or a message begins with; nil for any other expression.
    public var operand: NSExpression? {
        switch tree {
        case .keyPath(let base, _), .index(let base, _): part(base)
        case .message(let receiver, _, _): part(receiver)
        default: nil
        }
    }

    /// The arguments of a function; nil for any other expression.
    public var arguments: [NSExpression]? {
        switch tree {
        case .function(_, let parts), .message(_, _, let parts): parts.map(part)
        default: nil
        }
    }

    /// The collection of an aggregate, as expressions, or of a subquery, as an expression.
    public var collection: Any? {
        switch tree {
        case .aggregate(let parts): parts.map(part)
        case .constant(.array(let values)): values.map { part(.constant($0)) }
        case .subquery(let collection, _, _): part(collection)
        default: nil
        }
    }

    /// The condition of a subquery or of a conditional; nil for any other expression.
    public var predicate: NSPredicate? {
        switch tree {
        case .subquery(_, _, let condition), .conditional(let condition, _, _):
            NSPredicate(parsed: ParsedPredicate(condition, objects))
        default: nil
        }
    }

    /// The first of two collections; nil for any other expression.
    public var left: NSExpression? {
        guard case .set(_, let left, _) = tree else { return nil }
        return part(left)
    }

    /// The second of two collections; nil for any other expression.
    public var right: NSExpression? {
        guard case .set(_, _, let right) = tree else { return nil }
        return part(right)
    }

    /// What a conditional is if its predicate is true; nil for any other expression.
    public var `true`: NSExpression? {
        guard case .conditional(_, let then, _) = tree else { return nil }
        return part(then)
    }

    /// What a conditional is if its predicate is false; nil for any other expression.
    public var `false`: NSExpression? {
        guard case .conditional(_, _, let otherwise) = tree else { return nil }
        return part(otherwise)
    }

    private func part(_ tree: SyncCore.PredicateExpression) -> NSExpression {
        NSExpression(tree, objects)
    }
}

extension PredicateObjects {
    /// A value of Foundation's world; nil for a null.
    func any(_ value: PredicateValue) -> Any? {
        switch value {
        case .null: nil
        case .bool(let flag): NSNumber(value: flag)
        case .integer(let number): NSNumber(value: number)
        case .double(let number): NSNumber(value: number)
        case .string(let text): String(decoding: text, as: UTF8.self)
        case .data(let bytes): Data(bytes)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .array(let members): members.map { any($0) ?? NSNull() }
        case .dictionary(let entries):
            Dictionary(
                entries.map { (String(decoding: $0.key, as: UTF8.self), any($0.value) ?? NSNull()) }
            ) { $1 }
        case .opaque(let opaque): object(of: opaque) ?? foundationValue(opaque)
        }
    }

    /// Values whose identity is all that there is of them.
    private func foundationValue(_ opaque: PredicateOpaque) -> Any? {
        let text = String(decoding: opaque.identity, as: UTF8.self)
        return switch String(decoding: opaque.type, as: UTF8.self) {
        case "URL": URL(string: text)
        case "UUID": UUID(uuidString: text)
        default: nil
        }
    }
}
