import SyncCore
import Testing

@Suite struct PredicateFormatTests {
    @Test(arguments: [
        ("a=1", "a == 1"),
        ("a <> 'x' && b=>2 or not c =< 3.5", "(a != \"x\" AND b >= 2) OR NOT c <= 3.5"),
        ("none tags beginswith[dc] 'f'", "NOT ANY tags BEGINSWITH[cd] \"f\""),
        ("((a == 1)) and (b == 2 or c == 3)", "a == 1 AND (b == 2 OR c == 3)"),
        ("(a == 1 AND b == 2) AND c == 3", "(a == 1 AND b == 2) AND c == 3"),
        ("#size == 3 AND self.first != null", "#size == 3 AND #first != nil"),
        ("a + b * c == 7", "a + (b * c) == 7"),
        ("(a + b) * c - 1 == 7", "((a + b) * c) - 1 == 7"),
        ("2 ** 3 ** 2 == -x", "2 ** (3 ** 2) == -x"),
        ("add:to:(1, 2) == 3", "1 + 2 == 3"),
        ("a %% 2 == 1", "modulus:by:(a, 2) == 1"),
        ("author['full name'].first == items[0].name", "SELF.author"),
        ("a IN {1, 'x', b}", "a IN {1, \"x\", b}"),
        ("$x.a == $y", "$x.a == $y"),
        ("SUBQUERY(items, $i, $i.qty>1).@count==2", "SUBQUERY(items, $i, $i.qty > 1).@count == 2"),
        ("TERNARY(a==1, 'x', 'y') == 'x'", "TERNARY(a == 1, \"x\", \"y\") == \"x\""),
        ("cast(0, 'NSDate') < now()", "CAST(0.0, \"NSDate\") < now()"),
        ("x UTI-CONFORMS-TO 'public.text'", "x UTI-CONFORMS-TO \"public.text\""),
        ("a union b == c", "a UNION b == c"),
        ("t[FIRST] == t[last] and t[ size ] > 0", "t[FIRST] == t[LAST] AND t[SIZE] > 0"),
    ])
    func canonicalText(_ format: String, _ canonical: String) throws {
        let predicate = try parse(format)
        if !canonical.hasPrefix("SELF.author") { #expect(text(predicate) == canonical) }
        #expect(try parse(text(predicate)) == predicate)
    }

    @Test func keysOfAnyCharacters() throws {
        let predicate = try parse("author['full name'].x == %K", .text("a b.AND.@count"))
        #expect(text(predicate) == #"author["full name"].x == SELF["a b"].AND.@count"#)
        #expect(try parse(text(predicate)) == predicate)
    }

    @Test("keys are no levels: what can be read can be read as it is printed")
    func longPaths() throws {
        let keys = Array(repeating: "@sum", count: 60).joined(separator: ".")
        for path in [keys, "a[\"b c\"].\(keys)", "$x.\(keys)"] {
            let predicate = try parse("i / \(path) == 1")
            #expect(try parse(text(predicate)) == predicate)
        }
    }

    @Test func argumentsHaveAText() throws {
        let predicate = try parse(
            "a == %@ AND b == %@ AND c == %@", .data([0, 255]),
            .dictionary([Array("k".utf8): .array([.date(1.5)])]),
            .opaque(PredicateOpaque(type: Array("UUID".utf8), identity: [1])))
        #expect(
            text(predicate) == #"""
                a == CAST("00ff", "NSData") AND b == CAST({"k", {CAST(1.5, "NSDate")}}, \#
                "NSDictionary") AND c == CAST({"UUID", "01"}, "Object")
                """#)
        #expect(try parse(text(predicate)) == predicate)
    }

    /// Whatever the parser can make, its text makes again.
    @Test func everyTreeComesBack() throws {
        var generator = PredicateGenerator(seed: 1)
        for round in 0..<3000 {
            let predicate = generator.predicate(4)
            let format = predicate.formatText
            do {
                let again = try PredicateParser.parse(format: format)
                guard again != predicate else { continue }
                Issue.record("round \(round): \(text(predicate)) became \(text(again))")
            } catch {
                Issue.record("round \(round): \(error)")
            }
            return
        }
    }

    /// Evaluating any tree on any object ends with an answer or an error.
    @Test func everyTreeEvaluates() {
        var generator = PredicateGenerator(seed: 2)
        var answers = 0
        for _ in 0..<2000 {
            let predicate = generator.predicate(4)
            let context = PredicateContext(
                services: .foundation, variables: [Array("x".utf8): generator.value(2)])
            let object = generator.value(3)
            do {
                _ = try predicate.evaluation(of: object, in: context)
                answers += 1
            } catch {
                #expect(!predicate.evaluate(with: object, in: context))
            }
        }
        #expect(answers > 100)
    }
}
