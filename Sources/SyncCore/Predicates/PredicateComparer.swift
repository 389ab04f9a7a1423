/// The comparisons of the predicate language between two values.
struct PredicateComparer {
    let services: PredicateServices
    var options: PredicateOptions = []

    func compare(
        _ left: PredicateValue, _ operation: PredicateOperator, _ right: PredicateValue
    ) throws(PredicateEvaluationError) -> Bool {
        switch operation {
        case .equal: equals(left, right)
        case .notEqual: !equals(left, right)
        case .lessThan: try isOrdered(left, right) { $0 == .ascending }
        case .lessThanOrEqual: try isOrdered(left, right) { $0 != .descending }
        case .greaterThan: try isOrdered(left, right) { $0 == .descending }
        case .greaterThanOrEqual: try isOrdered(left, right) { $0 != .ascending }
        case .between: try isBetween(left, right)
        case .isIn: try contains(right, left, operation)
        case .contains: try contains(left, right, operation)
        case .beginsWith, .endsWith, .like, .matches, .typeConforms, .typeEquals:
            try compareTexts(left, operation, right)
        }
    }

    /// Whether two values are equal; values of unlike kinds are not, and a null equals only a null.
    func equals(_ left: PredicateValue, _ right: PredicateValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): return equals(left, right)
        case (.date(let left), .date(let right)): return left == right
        case (.array(let left), .array(let right)):
            let exact = PredicateComparer(services: services)
            return left.count == right.count && zip(left, right).allSatisfy { exact.equals($0, $1) }
        case (.dictionary(let left), .dictionary(let right)):
            let exact = PredicateComparer(services: services)
            return left.count == right.count
                && left.allSatisfy { entry in
                    right[entry.key].map { exact.equals(entry.value, $0) } ?? false
                }
        case (.null, .null), (.data, .data), (.opaque, .opaque): return left == right
        default: return PredicateArithmetic.order(left, right) == .same
        }
    }

    private func equals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        if options.contains(.localeSensitive), let collate = services.collate {
            return collate(left, right, options) == .same
        }
        return fold(left) == fold(right)
    }

    func fold(_ text: [UInt8]) -> [UInt8] {
        let ignoring: PredicateOptions = [.caseInsensitive, .diacriticInsensitive]
        guard !options.isDisjoint(with: ignoring), !options.contains(.normalized) else {
            return text
        }
        return services.fold(text, options)
    }
}

// MARK: Order

extension PredicateComparer {
    /// The order of two values; nil where a number is not a number.
    func order(
        _ left: PredicateValue, _ right: PredicateValue
    ) throws(PredicateEvaluationError) -> PredicateOrder? {
        switch (left, right) {
        case (.string(let left), .string(let right)): return order(left, right)
        case (.date(let left), .date(let right)): return PredicateArithmetic.order(left, right)
        default:
            guard PredicateArithmetic.isNumber(left), PredicateArithmetic.isNumber(right) else {
                throw .incomparable(left.kind, right.kind)
            }
            return PredicateArithmetic.order(left, right)
        }
    }

    private func order(_ left: [UInt8], _ right: [UInt8]) -> PredicateOrder {
        if options.contains(.localeSensitive), let collate = services.collate {
            return collate(left, right, options)
        }
        let left = fold(left)
        let right = fold(right)
        if left == right { return .same }
        return left.lexicographicallyPrecedes(right) ? .ascending : .descending
    }

    private func isOrdered(
        _ left: PredicateValue, _ right: PredicateValue, _ accepts: (PredicateOrder) -> Bool
    ) throws(PredicateEvaluationError) -> Bool {
        if left == .null && right == .null { return accepts(.same) }
        if left == .null || right == .null { return false }
        return try order(left, right).map(accepts) ?? false
    }

    private func isBetween(
        _ value: PredicateValue, _ bounds: PredicateValue
    ) throws(PredicateEvaluationError) -> Bool {
        guard case .array(let bounds) = bounds, bounds.count == 2 else { throw .invalidBounds }
        guard try compare(value, .greaterThanOrEqual, bounds[0]) else { return false }
        return try compare(value, .lessThanOrEqual, bounds[1])
    }

    /// The first value in an order; null of an empty collection.
    func extreme(
        _ values: [PredicateValue], _ wanted: PredicateOrder
    ) throws(PredicateEvaluationError) -> PredicateValue {
        guard var best = values.first else { return .null }
        for value in values.dropFirst() where try order(value, best) == wanted { best = value }
        return best
    }
}

// MARK: Collections

extension PredicateComparer {
    /// CONTAINS, and IN with its sides exchanged: of a text its parts, of a collection its members.
    private func contains(
        _ whole: PredicateValue, _ part: PredicateValue, _ operation: PredicateOperator
    ) throws(PredicateEvaluationError) -> Bool {
        if let members = whole.members { return contains(members, part) }
        switch (whole, part) {
        case (.null, _): return false
        case (.string(let whole), .string(let part)):
            return fold(whole).holds(fold(part))
        case (.string, .null): return false
        case (.string, _): throw .unsuitable(operation: operation.text, kind: part.kind)
        default: throw .unsuitable(operation: operation.text, kind: whole.kind)
        }
    }

    func contains(_ members: [PredicateValue], _ value: PredicateValue) -> Bool {
        members.contains { equals($0, value) }
    }

    /// The values without those that equal an earlier one.
    func distinct(_ values: [PredicateValue]) -> [PredicateValue] {
        var kept: [PredicateValue] = []
        for value in values where !contains(kept, value) { kept.append(value) }
        return kept
    }

    /// The values that appear most often, each once.
    func mostFrequent(_ values: [PredicateValue]) -> [PredicateValue] {
        let candidates = distinct(values)
        let counts = candidates.map { candidate in
            values.reduce(0) { $0 + (equals($1, candidate) ? 1 : 0) }
        }
        let most = counts.max()
        return candidates.indices.filter { counts[$0] == most }.map { candidates[$0] }
    }
}

// MARK: Texts

extension PredicateComparer {
    private func compareTexts(
        _ left: PredicateValue, _ operation: PredicateOperator, _ right: PredicateValue
    ) throws(PredicateEvaluationError) -> Bool {
        if left == .null || right == .null { return false }
        guard case .string(let text) = left else {
            throw .unsuitable(operation: operation.text, kind: left.kind)
        }
        guard case .string(let other) = right else {
            throw .unsuitable(operation: operation.text, kind: right.kind)
        }
        switch operation {
        case .beginsWith: return fold(text).starts(with: fold(other))
        case .endsWith: return fold(text).reversed().starts(with: fold(other).reversed())
        case .like: return PredicatePattern(fold(other)).matches(fold(text))
        case .matches: return try matches(text, other)
        case .typeEquals: return text.asciiLowercased == other.asciiLowercased
        default: return try conforms(text, to: other)
        }
    }

    private func matches(
        _ text: [UInt8], _ pattern: [UInt8]
    ) throws(PredicateEvaluationError) -> Bool {
        guard let service = services.matches else { throw .unavailable("MATCHES") }
        guard let result = service(text, pattern, options) else { throw .invalidPattern(pattern) }
        return result
    }

    private func conforms(
        _ type: [UInt8], to other: [UInt8]
    ) throws(PredicateEvaluationError) -> Bool {
        if type.asciiLowercased == other.asciiLowercased { return true }
        guard let service = services.conforms else { throw .unavailable("UTI-CONFORMS-TO") }
        return service(type, other)
    }
}

extension [UInt8] {
    /// Whether these bytes appear somewhere in the array.
    fileprivate func holds(_ part: [UInt8]) -> Bool {
        guard let head = part.first else { return true }
        guard count >= part.count else { return false }
        for start in 0...count - part.count where self[start] == head {
            if self[start..<start + part.count].elementsEqual(part) { return true }
        }
        return false
    }
}
