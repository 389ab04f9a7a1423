/// Writes predicates as canonical text.
struct PredicateFormatter {
    private(set) var text: [UInt8] = []

    private mutating func write(_ part: String) { text += Array(part.utf8) }

    mutating func write(_ predicate: Predicate) {
        switch predicate {
        case .constant(let value): write(value ? "TRUEPREDICATE" : "FALSEPREDICATE")
        case .comparison(let comparison): write(comparison)
        case .and(let parts): write(parts, between: " AND ", empty: .constant(true))
        case .or(let parts): write(parts, between: " OR ", empty: .constant(false))
        case .not(let part):
            write("NOT ")
            writeMember(part)
        }
    }

    private mutating func write(_ parts: [Predicate], between sign: String, empty: Predicate) {
        if parts.isEmpty { write(empty) }
        for (place, part) in parts.enumerated() {
            if place > 0 { write(sign) }
            writeMember(part)
        }
    }

    private mutating func writeMember(_ predicate: Predicate) {
        switch predicate {
        case .and, .or:
            write("(")
            write(predicate)
            write(")")
        default: write(predicate)
        }
    }

    private mutating func write(_ comparison: PredicateComparison) {
        switch comparison.modifier {
        case .direct: break
        case .all: write("ALL ")
        case .any: write("ANY ")
        }
        write(comparison.left)
        write(" \(comparison.operation.text)\(comparison.options.text) ")
        write(comparison.right)
    }
}

// MARK: Expressions

extension PredicateFormatter {
    mutating func write(_ expression: PredicateExpression) {
        switch expression {
        case .constant(let value): write(value)
        case .evaluatedObject: write("SELF")
        case .anyKey: write("ANYKEY")
        case .variable(let name): text += [UInt8(ascii: "$")] + name
        case .assignment(let variable, let value):
            text += [UInt8(ascii: "$")] + variable
            write(" := ")
            writeOperand(value)
        case .keyPath(let base, let keys): writeKeyPath(base, keys)
        case .index(let base, let index): writeIndex(base, index)
        case .aggregate(let parts): writeList("{", parts, "}")
        case .function(let function, let arguments): write(function, arguments)
        case .message(let receiver, let selector, let arguments):
            writeList("FUNCTION(", [receiver, .constant(.string(selector))] + arguments, ")")
        case .set(let operation, let left, let right):
            writeOperand(left)
            write(" \(operation.text) ")
            writeOperand(right)
        case .subquery(let collection, let variable, let condition):
            write("SUBQUERY(")
            write(collection)
            text += Array(", $".utf8) + variable + Array(", ".utf8)
            write(condition)
            write(")")
        case .conditional(let condition, let then, let otherwise):
            write("TERNARY(")
            write(condition)
            writeList(", ", [then, otherwise], ")")
        }
    }

    private mutating func writeList(
        _ open: String, _ parts: [PredicateExpression], _ close: String
    ) {
        write(open)
        for (place, part) in parts.enumerated() {
            if place > 0 { write(", ") }
            write(part)
        }
        write(close)
    }

    private mutating func write(_ function: PredicateFunction, _ arguments: [PredicateExpression]) {
        if let sign = function.infix, arguments.count == 2 {
            writeOperand(arguments[0])
            write(" \(sign) ")
            writeOperand(arguments[1])
        } else if let sign = function.prefix, arguments.count == 1 {
            write(sign)
            writeBase(arguments[0])
        } else if function == .cast {
            writeList("CAST(", arguments, ")")
        } else {
            let isShort = function.argumentCounts.contains(1)
            writeList(
                (isShort ? String(function.rawValue.dropLast()) : function.rawValue) + "(",
                arguments, ")")
        }
    }

    /// Writes a part beside an operator: with parentheses if it has an operator itself.
    private mutating func writeOperand(_ expression: PredicateExpression) {
        switch expression {
        case .function(let function, let arguments)
        where function.infix != nil && arguments.count == 2:
            writeInParentheses(expression)
        case .set, .assignment: writeInParentheses(expression)
        default: write(expression)
        }
    }

    /// Writes a part that a key, an index or a sign belongs to.
    private mutating func writeBase(_ expression: PredicateExpression) {
        switch expression {
        case .constant(.integer), .constant(.double): writeInParentheses(expression)
        case .function(let function, _) where function.prefix != nil:
            writeInParentheses(expression)
        default: writeOperand(expression)
        }
    }

    private mutating func writeInParentheses(_ expression: PredicateExpression) {
        write("(")
        write(expression)
        write(")")
    }

    private mutating func writeKeyPath(_ base: PredicateExpression, _ keys: [[UInt8]]) {
        var isFirst = base == .evaluatedObject
        if isFirst {
            if let key = keys.first, !key.isName || key.first == UInt8(ascii: "@") { write("SELF") }
            if keys.isEmpty { write("SELF") }
        } else {
            writeBase(base)
        }
        for key in keys {
            if key.first == UInt8(ascii: "@") {
                text += [UInt8(ascii: ".")] + key
            } else if !key.isName {
                write("[")
                write(.string(key))
                write("]")
            } else if isFirst {
                text += PredicateKeyword(key) == nil ? key : [UInt8(ascii: "#")] + key
            } else {
                text += [UInt8(ascii: ".")] + key
            }
            isFirst = false
        }
    }

    private mutating func writeIndex(_ base: PredicateExpression, _ index: PredicateIndex) {
        writeBase(base)
        write("[")
        switch index {
        case .first: write("FIRST")
        case .last: write("LAST")
        case .size: write("SIZE")
        case .position(let position): write(position)
        }
        write("]")
    }
}

// MARK: Constants

extension PredicateFormatter {
    private mutating func write(_ value: PredicateValue) {
        switch value {
        case .null: write("nil")
        case .bool(let flag): write(flag ? "YES" : "NO")
        case .integer(let number): write(number.description)
        case .double(let number): write(number)
        case .string(let text): writeQuoted(text)
        case .date(let seconds): writeCast("NSDate", of: .double(seconds))
        case .data(let bytes): writeCast("NSData", of: .string(bytes.hexadecimal))
        case .array(let values): writeList("{", values.map { .constant($0) }, "}")
        case .dictionary(let entries):
            let parts = entries.inKeyOrder.flatMap { [.string($0.key), $0.value] }
            writeCast("NSDictionary", of: .array(parts))
        case .opaque(let object):
            let parts: [PredicateValue] = [
                .string(object.type), .string(object.identity.hexadecimal),
            ]
            writeCast("Object", of: .array(parts))
        }
    }

    private mutating func write(_ number: Double) {
        if number.isNaN {
            writeCast("NSNumber", of: .text("NaN"))
        } else if number.isInfinite {
            write(number < 0 ? "-1e999" : "1e999")
        } else {
            write(number.description)
        }
    }

    private mutating func writeCast(_ type: String, of value: PredicateValue) {
        write("CAST(")
        write(value)
        write(", \"\(type)\")")
    }

    private mutating func writeQuoted(_ bytes: [UInt8]) {
        write("\"")
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0x0a: write("\\n")
            case 0x09: write("\\t")
            case 0x0d: write("\\r")
            default: text.append(byte)
            }
        }
        write("\"")
    }
}

extension [UInt8] {
    /// Whether these bytes can stand as a key without quotes.
    fileprivate var isName: Bool {
        let name = first == UInt8(ascii: "@") ? dropFirst() : self[...]
        guard let start = name.first, start.startsName else { return false }
        return name.allSatisfy { $0.continuesName }
    }

    fileprivate var hexadecimal: [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}

// MARK: Words

extension PredicateOperator {
    var text: String {
        switch self {
        case .lessThan: "<"
        case .lessThanOrEqual: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqual: ">="
        case .equal: "=="
        case .notEqual: "!="
        case .matches: "MATCHES"
        case .like: "LIKE"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .isIn: "IN"
        case .contains: "CONTAINS"
        case .between: "BETWEEN"
        case .typeConforms: "UTI-CONFORMS-TO"
        case .typeEquals: "UTI-EQUALS"
        }
    }
}

extension PredicateOptions {
    var text: String {
        let letters =
            (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
            + (contains(.normalized) ? "n" : "") + (contains(.localeSensitive) ? "l" : "")
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}

// MARK: Entrances

extension Predicate {
    /// The canonical text of this predicate, which parses again to an equal one.
    package var formatText: [UInt8] {
        var formatter = PredicateFormatter()
        formatter.write(self)
        return formatter.text
    }
}

extension PredicateExpression {
    /// The canonical text of this expression, which parses again to an equal one.
    package var formatText: [UInt8] {
        var formatter = PredicateFormatter()
        formatter.write(self)
        return formatter.text
    }
}
