import SyncCore
import Testing

@Suite struct PredicateEvaluationTests {
    private static let item: PredicateValue = .dictionary([
        Array("name".utf8): .text("Größe.txt"),
        Array("size".utf8): .integer(120),
        Array("date".utf8): .date(1000),
        Array("tags".utf8): .array([.text("a"), .text("b"), .null]),
        Array("data".utf8): .data([1, 2, 3]),
        Array("nested".utf8): .array([.array([.integer(1)]), .array([.integer(2), .integer(1)])]),
        Array("numbers".utf8): .array([.integer(2), .integer(9), .integer(4), .integer(9)]),
        Array("map".utf8): .dictionary([Array("k".utf8): .integer(7)]),
    ])

    @Test(arguments: [
        "name.length == 9", "data.length == 3", "name.uppercaseString == 'GRÖSSE.TXT'",
        "#size.stringValue == '120'", "date.timeIntervalSinceReferenceDate == 1000",
        "map.@count == 1", "7 IN map", "map['k'] == 7", "missing.a.b.@count == nil",
        "nested.@distinctUnionOfArrays.self == {1, 2}",
        "FUNCTION(nested.@unionOfArrays.self, 'count') == 3",
        "numbers.@distinctUnionOfObjects.self == {2, 9, 4}", "numbers.@sum.self == 24",
        "median(numbers) == 6.5", "mode(numbers) == {9}", "average({1, 2}) == 1.5",
        "stddev({2, 4, 4, 4, 5, 5, 7, 9}) == 2", "min({'b', 'a'}) == 'a'", "count(tags) == 3",
        "sum({}) == 0", "max({}) == nil", "average({}) == nil",
        "numbers UNION {1} == {2, 9, 4, 1}", "numbers INTERSECT {9, 1} == {9}",
        "numbers MINUS {9} == {2, 4}", "tags[LAST] == nil", "tags[FIRST] == 'a'",
        "tags[SIZE] == 3", "missing[3] == nil", "ANY tags == nil", "$i := 3 == 3",
        "SUBQUERY(numbers, $n, SUBQUERY(numbers, $m, $m == $n).@count > 1)[SIZE] == 2",
        "date + 10 == CAST(1010, 'NSDate')", "CAST(1010, 'NSDate') - date == 10",
        "9223372036854775807 + 1 == 9223372036854775808", "7 %% 3 == 1", "-7 %% 3 == -1",
        "7.5 %% 2 == 1.5", "2 ** 0.5 > 1.41421356", "2 ** -1 == 0.5", "6 & 3 == 2", "6 | 3 == 7",
        "6 ^ 3 == 5", "1 << 4 == 16", "16 >> 2 == 4", "~0 == -1", "-(numbers.@max.self) == -9",
        "missing + 1 == nil", "nil <= nil", "NOT nil < nil", "1 <= 1.0", "TRUE == 1",
        "9007199254740993 > 9007199254740992.0", "0.1 < 1", "-1e300 < 1",
        "FUNCTION(map, 'valueForKey:', 'k') == 7",
        "FUNCTION(SELF, 'valueForKeyPath:', 'map.k') == 7",
        "FUNCTION('abc', 'length') == 3",
        "FUNCTION(date, 'dateByAddingTimeInterval:', -5) == CAST(995, 'NSDate')",
        "CAST(CAST(date, 'NSNumber') - 5, 'NSDate') < date", "FUNCTION(numbers, 'count') == 4",
        "FUNCTION(nil, 'sum:', {1, 2}) == 3", "CAST('12.5', 'NSNumber') == 12.5",
        "CAST(#size, 'NSString') == '120'", "name UTI-EQUALS 'größe.TXT' OR 'A' UTI-EQUALS 'a'",
        "name CONTAINS ''", "name BEGINSWITH[cd] 'GROSSE'", "name ENDSWITH[n] '.txt'",
        "name LIKE 'Gr*e.t?t'", #"'a*b' LIKE 'a\*b'"#, #"NOT 'axb' LIKE 'a\*b'"#,
        "NOT name BETWEEN {nil, 'z'}", "random() < 1", "random(3) IN {0, 1, 2}",
        "ANYKEY == 120", "NOT ANYKEY == 121", "noindex:(#size) == 120",
        "ALL missing == 1", "NOT NOT NONE missing == 1", "name ==[l] name",
    ])
    func isTrue(_ format: String) throws {
        let context = PredicateContext(services: .foundation)
        #expect(try parse(format).evaluation(of: Self.item, in: context))
    }

    @Test(arguments: [
        ("name < 5", PredicateEvaluationError.incomparable("a string", "a number")),
        ("name.foo == 1", .undefinedKey(Array("foo".utf8))),
        ("tags[3] == 1", .indexOutOfRange), ("tags[-1] == 1", .indexOutOfRange),
        ("#size / 0 == 1", .divisionByZero), ("#size %% 0 == 1", .divisionByZero),
        ("numbers.@foo.self == 1", .unknownOperator(Array("@foo".utf8))),
        ("FUNCTION(name, 'foo:', 1) == 1", .unknownSelector(Array("foo:".utf8))),
        ("name MATCHES 'x'", .unavailable("MATCHES")), ("now() > date", .unavailable("now()")),
        ("random() > 0", .unavailable("random()")),
        ("name UTI-CONFORMS-TO 'x'", .unavailable("UTI-CONFORMS-TO")),
        ("#size BETWEEN {1, 2, 3}", .invalidBounds), ("#size BETWEEN missing", .invalidBounds),
        ("name CONTAINS 5", .unsuitable(operation: "CONTAINS", kind: "a number")),
        ("name + 1 == 2", .unsuitable(operation: "add:to:", kind: "a string")),
        (
            "CAST(name, 'NSDate') == 1",
            .castImpossible(kind: "a string", type: Array("NSDate".utf8))
        ),
        ("ANY #size == 1", .unsuitable(operation: "ANY", kind: "a number")),
        ("$x == 1", .unboundVariable(Array("x".utf8))),
        ("SUBQUERY(numbers, $n, $n > 1).@count == $n", .unboundVariable(Array("n".utf8))),
    ])
    func raises(_ format: String, _ wanted: PredicateEvaluationError) throws {
        let predicate = try parse(format)
        #expect(throws: wanted) { try predicate.evaluation(of: Self.item) }
        #expect(!predicate.evaluate(with: Self.item))
        #expect(!wanted.description.isEmpty)
    }

    /// Objects of the caller are reached through the lookup alone.
    @Test func opaqueObjects() throws {
        let owner = PredicateOpaque(type: Array("Person".utf8), identity: [1])
        let context = PredicateContext { (object, key) throws(PredicateEvaluationError) in
            switch (object, String(decoding: key, as: UTF8.self)) {
            case (.evaluated, "owner"): return .opaque(owner)
            case (.evaluated, "owners"): return .array([.opaque(owner)])
            case (owner, "name"): return .text("Ann")
            case (owner, "@count"): return .integer(5)
            case (owner, "secret"): throw .undefinedKey(key)
            default: return nil
            }
        }
        let object = PredicateValue.opaque(.evaluated)
        for format in [
            "owner.name == 'Ann'", "ANY owners.name == 'Ann'", "owner.self == owner",
            "owner.@count == 5", "missing == nil", "owner['name'] == 'Ann'", "owner IN owners",
        ] {
            #expect(try parse(format).evaluation(of: object, in: context), "\(format)")
        }
        #expect(try parse("owner == %@", .opaque(owner)).evaluation(of: object, in: context))
        #expect(throws: PredicateEvaluationError.undefinedKey(Array("secret".utf8))) {
            try parse("owner.secret == 1").evaluation(of: object, in: context)
        }
    }

    @Test func namesThatAreNotUTF8() throws {
        let name = PredicateValue.string([0x61, 0xff, 0x62])
        #expect(try parse("SELF == %@", name).evaluation(of: name))
        #expect(try parse("SELF LIKE 'a?b' AND SELF LIKE[c] 'A*B'").evaluation(of: name))
        let other = PredicateValue.string([0x61, 0xfe, 0x62])
        #expect(try !parse("SELF ==[cd] %@", other).evaluation(of: name))
    }

    @Test func variablesTakeValues() throws {
        let predicate = try parse("a IN {$x, 1} AND ANY SUBQUERY(b, $x, $x > $y)[$z] == $x")
        let values: [[UInt8]: PredicateValue] = [
            Array("x".utf8): .integer(3), Array("z".utf8): .text("key"),
        ]
        let bound = predicate.substituting(values)
        #expect(
            text(bound) == "a IN {3, 1} AND ANY SUBQUERY(b, $x, $x > $y).key == 3")
        #expect(try parse(text(bound)) == bound)
    }

    @Test func expressionsHaveValues() throws {
        let expression = try PredicateParser.parseExpression(format: Array("1 + a * 2".utf8))
        let value = try expression.value(with: .dictionary([Array("a".utf8): .double(1.5)]))
        #expect(value == .double(4))
        #expect(throws: PredicateFormatError.self) {
            try PredicateParser.parseExpression(format: Array("a == 1".utf8))
        }
    }

    @Test func treesDeeperThanTextEndInAnError() {
        var deep = Tree.constant(true)
        for _ in 0..<300 { deep = .not(deep) }
        #expect(throws: PredicateEvaluationError.tooDeep) { try deep.evaluation(of: .null) }
    }
}
