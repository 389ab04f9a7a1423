import SyncCore
import Testing

/// Predicates with values in the place of variables, and what they ask of an object.
@Suite struct PredicateRewritingTests {
    private func canonical(_ predicate: Predicate) -> String {
        String(decoding: predicate.formatText, as: UTF8.self)
    }

    @Test(arguments: [
        ("a == $v", "a == 7"),
        ("NOT a == $v AND ($v < 9 OR b == $w)", "NOT a == 7 AND (7 < 9 OR b == $w)"),
        ("a[$v] == 1", "a[7] == 1"), ("a[FIRST] == $v", "a[FIRST] == 7"),
        ("a IN {$v, 2}", "a IN {7, 2}"), ("$v.length == 1", "7.length == 1"),
        ("sum($v) == 1", "sum(7) == 1"), ("$i := $v == 3", "$i := 7 == 3"),
        ("a UNION $v == b", "a UNION 7 == b"),
        ("FUNCTION($v, 'x:', $v) == 1", "FUNCTION(7, 'x:', 7) == 1"),
        ("TERNARY($v == 1, $v, $w) == 1", "TERNARY(7 == 1, 7, $w) == 1"),
        ("SUBQUERY(a, $x, $x == $v).@count > 1", "SUBQUERY(a, $x, $x == 7).@count > 1"),
        ("SUBQUERY($v, $v, $v == 1).@count > 1", "SUBQUERY(7, $v, $v == 1).@count > 1"),
        ("TRUEPREDICATE", "TRUEPREDICATE"),
        ("SELF == 1 OR ANYKEY == 2", "SELF == 1 OR ANYKEY == 2"),
    ])
    func variablesTakeTheirValues(_ format: String, _ expected: String) throws {
        let values: [[UInt8]: PredicateValue] = [Array("v".utf8): .integer(7)]
        let result = try parse(format).substituting(values)
        #expect(try canonical(result) == canonical(parse(expected)))
    }

    @Test(arguments: [
        "TRUEPREDICATE", "a == 1", "a.b.c == $x", "NOT a > 1 AND b IN {1, $x}", "a[0] == b[LAST]",
        "sum(a) == 1", "FUNCTION(a, 'x:', b) == 1", "a UNION b == c", "TERNARY(a == 1, b, c) == d",
        "SUBQUERY(a, $x, $x == 1).@count > 1", "$i := a == 3",
    ])
    func onlyKeysAreAskedFor(_ format: String) throws {
        #expect(try parse(format).asksForKeysOnly)
    }

    @Test(arguments: [
        "SELF == 1", "ANYKEY == 1", "a == 1 OR SELF == 2", "SELF.@count == 1",
        "FUNCTION(SELF, 'x') == 1", "sum(SELF) == 1", "NOT (a IN {SELF, 1})", "SELF[0] == 1",
        "TERNARY(a == 1, SELF, c) == d", "a UNION SELF == c", "$i := SELF == 3",
        "SUBQUERY(SELF, $x, $x == 1).@count > 1", "a[SELF] == 1",
    ])
    func allOfTheObjectIsAskedFor(_ format: String) throws {
        #expect(try !parse(format).asksForKeysOnly)
    }

    /// An expression's own text is that of a side of a comparison.
    @Test func expressionsHaveATextToo() {
        let sum = PredicateExpression.function(.add, [.key("a.b"), .constant(.integer(1))])
        #expect(String(decoding: sum.formatText, as: UTF8.self) == "a.b + 1")
    }

    @Test func functionsKnowHowManyArgumentsTheyTake() {
        #expect(PredicateFunction.add.takes(2) && !PredicateFunction.add.takes(3))
    }
}
