/// A condition on one key that every object meets for which the predicate is true.
///
/// An index answers it without looking at the other objects; the predicate then decides among
/// those that are left. Values are equal and ordered as the predicate language says.
package enum PredicateIndexConstraint: Sendable, Equatable {
    /// The value equals one of these, none of which is a null.
    case oneOf(key: [UInt8], [PredicateValue])
    /// The value is a text that begins with these bytes.
    case prefix(key: [UInt8], [UInt8])
    /// The value is a number, a date or a text between the bounds.
    case range(key: [UInt8], lower: PredicateBound?, upper: PredicateBound?)
}

/// An end of a range.
package struct PredicateBound: Sendable, Equatable {
    package let value: PredicateValue
    package let isIncluded: Bool

    package init(_ value: PredicateValue, isIncluded: Bool) {
        self.value = value
        self.isIncluded = isIncluded
    }
}

extension Predicate {
    /// What can be asked of an index; empty if every object has to be looked at.
    package var indexConstraints: [PredicateIndexConstraint] {
        switch self {
        case .constant, .not: []
        case .comparison(let comparison): comparison.indexConstraints
        case .and(let parts): parts.flatMap { $0.indexConstraints }
        case .or(let parts): Self.common(parts)
        }
    }

    /// Of alternatives only keys remain that each of them ties to certain values.
    private static func common(_ parts: [Predicate]) -> [PredicateIndexConstraint] {
        guard let first = parts.first else { return [] }
        var result: [PredicateIndexConstraint] = []
        for case .oneOf(let key, let values) in first.indexConstraints {
            var all = values
            for part in parts.dropFirst() {
                guard let more = part.values(of: key) else { return result }
                all += more
            }
            result.append(.oneOf(key: key, all))
        }
        return result
    }

    private func values(of wanted: [UInt8]) -> [PredicateValue]? {
        for case .oneOf(let key, let values) in indexConstraints where key == wanted {
            return values
        }
        return nil
    }
}

extension PredicateComparison {
    fileprivate var indexConstraints: [PredicateIndexConstraint] {
        // Texts that are equal only after folding are apart in an index.
        guard modifier == .direct, options.isSubset(of: .normalized) else { return [] }
        if case .constant(let value) = right, let key = left.indexedKey {
            return Self.constraints(key, operation, value)
        }
        if case .constant(let value) = left, let key = right.indexedKey,
            let exchanged = operation.exchanged
        {
            return Self.constraints(key, exchanged, value)
        }
        return []
    }

    private static func constraints(
        _ key: [UInt8], _ operation: PredicateOperator, _ value: PredicateValue
    ) -> [PredicateIndexConstraint] {
        switch (operation, value) {
        case (_, .null): []
        case (.equal, _): [.oneOf(key: key, [value])]
        case (.isIn, _): members(value).map { [.oneOf(key: key, $0)] } ?? []
        case (.beginsWith, .string(let text)): text.isEmpty ? [] : [.prefix(key: key, text)]
        case (.like, .string(let pattern)): pattern.isEmpty ? [] : pattern.likeConstraints(key)
        case (.between, .array(let bounds)) where bounds.count == 2 && !bounds.contains(.null):
            [
                .range(
                    key: key, lower: PredicateBound(bounds[0], isIncluded: true),
                    upper: PredicateBound(bounds[1], isIncluded: true))
            ]
        case (.lessThan, _), (.lessThanOrEqual, _):
            [.range(key: key, lower: nil, upper: bound(value, operation == .lessThanOrEqual))]
        case (.greaterThan, _), (.greaterThanOrEqual, _):
            [.range(key: key, lower: bound(value, operation == .greaterThanOrEqual), upper: nil)]
        default: []
        }
    }

    private static func bound(_ value: PredicateValue, _ isIncluded: Bool) -> PredicateBound {
        PredicateBound(value, isIncluded: isIncluded)
    }

    /// The members; nil where a null among them lets in objects that lack the key.
    private static func members(_ value: PredicateValue) -> [PredicateValue]? {
        value.members.flatMap { $0.contains(.null) ? nil : $0 }
    }
}

extension [UInt8] {
    fileprivate func likeConstraints(_ key: [UInt8]) -> [PredicateIndexConstraint] {
        let (text, isWhole) = PredicatePattern(self).literalPrefix
        if isWhole { return [.oneOf(key: key, [.string(text)])] }
        return text.isEmpty ? [] : [.prefix(key: key, text)]
    }
}

extension PredicateExpression {
    /// The key, if this is a single key of the object under evaluation.
    fileprivate var indexedKey: [UInt8]? {
        guard case .keyPath(.evaluatedObject, let keys) = self, keys.count == 1,
            keys[0].first != UInt8(ascii: "@")
        else { return nil }
        return keys[0]
    }
}

extension PredicateOperator {
    /// The operator that says the same with the sides exchanged.
    fileprivate var exchanged: PredicateOperator? {
        switch self {
        case .equal: .equal
        case .lessThan: .greaterThan
        case .lessThanOrEqual: .greaterThanOrEqual
        case .greaterThan: .lessThan
        case .greaterThanOrEqual: .lessThanOrEqual
        default: nil
        }
    }
}
