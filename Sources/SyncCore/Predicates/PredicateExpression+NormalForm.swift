// What the parser makes of each form, so that equal texts give equal trees.

extension PredicateExpression {
    /// `{a, b}`; of constants alone it is a constant.
    package static func list(_ parts: [PredicateExpression]) -> PredicateExpression {
        var values: [PredicateValue] = []
        for case .constant(let value) in parts { values.append(value) }
        return values.count == parts.count ? .constant(.array(values)) : .aggregate(parts)
    }

    /// A call; the cast of a constant is a constant, by which dates and data have a text.
    package static func call(
        _ function: PredicateFunction, _ arguments: [PredicateExpression]
    ) -> PredicateExpression {
        if function == .cast, arguments.count == 2, case .constant(let value) = arguments[0],
            case .constant(.string(let type)) = arguments[1],
            let result = PredicateCast.cast(value, to: type)
        {
            return .constant(result)
        }
        return .function(function, arguments)
    }

    /// Whether more keys are of the same key path.
    var isPath: Bool {
        switch self {
        case .keyPath, .evaluatedObject: true
        default: false
        }
    }

    /// The member at the keys; key paths of key paths are one key path.
    package func member(_ keys: [[UInt8]]) -> PredicateExpression {
        if keys.isEmpty { return self }
        if case .keyPath(let base, let first) = self {
            return .keyPath(base: base, keys: first + keys)
        }
        return .keyPath(base: self, keys: keys)
    }

    /// `self[index]`; a text in the brackets is a key of any characters, dots too.
    package func element(_ index: PredicateIndex) -> PredicateExpression {
        if case .position(.constant(.string(let key))) = index, !key.isEmpty,
            key.first != UInt8(ascii: "@")
        {
            return member([key])
        }
        return .index(base: self, index: index)
    }
}
