/// A condition on one attribute, as stretches of an index.
struct IndexedRange: Sendable {
    let attribute: Attribute
    let stretches: [IndexedStretch]

    enum Attribute: Sendable {
        case name
        /// A name begins with its display name.
        case displayName
        case size
        case changed
    }

    /// Nil if there is no index of the attribute.
    init?(_ constraint: PredicateIndexConstraint) {
        let key =
            switch constraint {
            case .oneOf(let key, _), .prefix(let key, _), .range(let key, _, _): key
            }
        switch key {
        case QueriedItem.nameKey: attribute = .name
        case QueriedItem.displayNameKey: attribute = .displayName
        case QueriedItem.sizeKey: attribute = .size
        case QueriedItem.changedKey: attribute = .changed
        default: return nil
        }
        switch (constraint, attribute) {
        case (.oneOf(_, let values), .displayName): stretches = Self.names(values)
        case (.oneOf(_, let values), _):
            stretches = values.map { .between(PredicateBound($0), PredicateBound($0)) }
        case (.prefix(_, let text), _): stretches = [.beginning(text)]
        case (.range, .displayName): return nil
        case (.range(_, let lower, let upper), _): stretches = [.between(lower, upper)]
        }
    }

    /// The names that have one of these display names: with an extension or without.
    private static func names(_ values: [PredicateValue]) -> [IndexedStretch] {
        var stretches: [IndexedStretch] = []
        for case .string(let text) in values {
            let bound = PredicateBound(.string(text), isIncluded: true)
            stretches.append(.between(bound, bound))
            stretches.append(.beginning(text + [0x2E]))
        }
        return stretches
    }

    func contains(_ keys: ItemKeys) -> Bool {
        let value: PredicateValue =
            switch attribute {
            case .name, .displayName: .string(keys.name.bytes)
            case .size: keys.size.predicateSize
            case .changed: .date(keys.changed)
            }
        return stretches.contains { $0.position(of: value) == .inside }
    }
}

extension PredicateBound {
    fileprivate init(_ value: PredicateValue) { self.init(value, isIncluded: true) }
}

/// A part of the values in their order.
enum IndexedStretch: Sendable {
    case between(PredicateBound?, PredicateBound?)
    case beginning([UInt8])

    enum Position {
        case before
        case inside
        case after
    }

    /// Where a value lies: values in order are before, inside and after, in this order.
    ///
    /// A bound that the values have no order with lets none in, as the predicate is true of none.
    func position(of value: PredicateValue) -> Position {
        switch self {
        case .between(let lower, let upper):
            if let lower {
                switch Self.order(value, lower.value) {
                case .ascending?: return .before
                case .same? where !lower.isIncluded: return .before
                case .same?, .descending?: break
                case nil: return .before
                }
            }
            guard let upper else { return .inside }
            switch Self.order(value, upper.value) {
            case .ascending?: return .inside
            case .same?: return upper.isIncluded ? .inside : .after
            case .descending?, nil: return .after
            }
        case .beginning(let start):
            guard case .string(let text) = value else { return .before }
            if text.starts(with: start) { return .inside }
            return text.lexicographicallyPrecedes(start) ? .before : .after
        }
    }

    private static func order(_ one: PredicateValue, _ other: PredicateValue) -> PredicateOrder? {
        do throws(PredicateEvaluationError) {
            return try PredicateComparer(services: PredicateServices()).order(one, other)
        } catch {
            return nil
        }
    }
}
