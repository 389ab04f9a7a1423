import SyncCore
import Testing

@Suite struct PredicateIndexConstraintTests {
    private static let name = Array("name".utf8)
    private static let size = Array("size".utf8)

    @Test(arguments: [
        ("name == 'a'", [PredicateIndexConstraint.oneOf(key: name, [.text("a")])]),
        ("'a' == name", [.oneOf(key: name, [.text("a")])]),
        ("name IN {'a', 'b'}", [.oneOf(key: name, [.text("a"), .text("b")])]),
        ("name BEGINSWITH 'a'", [.prefix(key: name, Array("a".utf8))]),
        ("name LIKE 'a*.txt'", [.prefix(key: name, Array("a".utf8))]),
        (#"name LIKE 'a\*'"#, [.oneOf(key: name, [.text("a*")])]),
        (
            "#size > 3",
            [.range(key: size, lower: PredicateBound(.integer(3), isIncluded: false), upper: nil)]
        ),
        (
            "3 >= #size",
            [.range(key: size, lower: nil, upper: PredicateBound(.integer(3), isIncluded: true))]
        ),
        (
            "#size BETWEEN {1, 2}",
            [
                .range(
                    key: size, lower: PredicateBound(.integer(1), isIncluded: true),
                    upper: PredicateBound(.integer(2), isIncluded: true))
            ]
        ),
        ("name == 'a' OR name IN {'b'}", [.oneOf(key: name, [.text("a"), .text("b")])]),
        (
            "(name == 'a' AND #size == 1) OR (name == 'b' AND x == 2)",
            [.oneOf(key: name, [.text("a"), .text("b")])]
        ),
        ("name == 'a' AND x CONTAINS 'b'", [.oneOf(key: name, [.text("a")])]),
        ("name ==[c] 'a'", []), ("NOT name == 'a'", []), ("name == nil", []),
        ("name IN {'a', nil}", []), ("name LIKE '*'", []), ("ANY name == 'a'", []),
        ("name == 'a' OR #size == 1", []), ("a.name == 'a'", []), ("name == other", []),
        ("'abc' BEGINSWITH name", []), ("TRUEPREDICATE", []), ("name BEGINSWITH ''", []),
    ])
    func constraints(_ format: String, _ wanted: [PredicateIndexConstraint]) throws {
        #expect(try parse(format).indexConstraints == wanted)
    }

    /// An object for which the predicate is true meets every constraint.
    @Test func noMatchIsLost() throws {
        var generator = SeededGenerator(state: 8)
        let conditions = [
            "name == 'a'", "name BEGINSWITH 'a'", "name LIKE 'a?'", "name IN {'a', 'ab'}",
            "#size > 1", "#size <= 2", "#size BETWEEN {1, 2}", "2 > #size", "name > 'a'",
            "name ==[c] 'A'", "NOT #size == 1", "#size == 2.0", "name == nil", "#size IN {1, nil}",
        ]
        let names: [PredicateValue] = [.text("a"), .text("ab"), .text("A"), .text("b"), .null]
        let sizes: [PredicateValue] = [.integer(1), .double(2), .integer(3), .bool(true), .null]
        var matches = 0
        for _ in 0..<500 {
            let format = (0..<3).map { _ in "(\(conditions.randomElement(using: &generator)!))" }
                .joined(separator: [" AND ", " OR "].randomElement(using: &generator)!)
            let predicate = try parse(format)
            for name in names {
                for size in sizes {
                    let object = PredicateValue.dictionary([Self.name: name, Self.size: size])
                    guard predicate.evaluate(with: object) else { continue }
                    matches += 1
                    for constraint in predicate.indexConstraints {
                        #expect(meets(constraint, object), "\(format) \(object)")
                    }
                }
            }
        }
        #expect(matches > 1000)
    }

    private func meets(_ constraint: PredicateIndexConstraint, _ object: PredicateValue) -> Bool {
        var conditions: [Tree] = []
        func add(_ key: [UInt8], _ operation: PredicateOperator, _ value: PredicateValue) {
            let left = Part.evaluatedObject.member([key])
            conditions.append(.comparison(PredicateComparison(left, operation, .constant(value))))
        }
        switch constraint {
        case .oneOf(let key, let values): add(key, .isIn, .array(values))
        case .prefix(let key, let text): add(key, .beginsWith, .string(text))
        case .range(let key, let lower, let upper):
            if let lower {
                add(key, lower.isIncluded ? .greaterThanOrEqual : .greaterThan, lower.value)
            }
            if let upper { add(key, upper.isIncluded ? .lessThanOrEqual : .lessThan, upper.value) }
        }
        return Tree.and(conditions).evaluate(with: object)
    }
}
