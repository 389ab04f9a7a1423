import Foundation
import SyncCore
import Testing

@Suite struct PredicateParserTests {
    @Test(arguments: [
        ("a", 1, "a comparison operator"),
        ("a ==", 4, "an expression"),
        ("a == 1 AND", 10, "an expression"),
        ("(a == 1", 7, "AND, OR or )"),
        ("(a + 1", 6, "an operator or )"),
        ("a == 1)", 6, "AND, OR or the end"),
        ("a == 'x", 5, "a closing '"),
        ("a CONTAINS[z] 'x'", 11, "the options c, d, n, l"),
        ("a == {1, 2", 10, ", or }"),
        ("a == 1 == 1", 0, "an expression, not a condition"),
        ("a AND b == 1", 2, "a comparison operator"),
        ("a == 12abc", 5, "a number"),
        ("a == 0x", 5, "a number"),
        ("a == %y", 5, "a placeholder such as %@, %K or %d"),
        ("a == $", 6, "a variable's name after $"),
        ("size == 3", 0, "an expression (a reserved word as a key is written with # in front)"),
        ("foo(1) == 1", 0, "a function that exists, such as sum or lowercase"),
        ("sqrt(1, 2) == 1", 0, "the right number of arguments for the function"),
        ("a == \"\\ud800\"", 8, "four hexadecimal digits of a character"),
        ("é == ~", 7, "an expression"),
    ])
    func errorsNameThePlace(_ format: String, _ offset: Int, _ expected: String) throws {
        let error = try #require(formatError(format))
        #expect(error.offset == offset)
        #expect(error.expected == expected)
    }

    @Test func errorsShowThePlace() throws {
        let error = try #require(formatError("größe == 1 ANDD b == 2"))
        #expect(
            error.description == """
                expected AND, OR or the end at byte 13
                größe == 1 ANDD b == 2
                           ^
                """)
    }

    @Test func missingArguments() throws {
        let error = try #require(formatError("%K == %@", .text("a")))
        #expect(error.expected == "argument 2 (there are 1)")
        #expect(error.offset == 6)
        #expect(formatError("%K == 1", .integer(3))?.expected == "a key path as argument 1")
        #expect(formatError("a == %d", .text("x"))?.expected == "a whole number as argument 1")
        #expect(formatError("%K == 1", .text("a..b")) != nil)
        #expect(formatError("%K == 1", .text("")) != nil)
        #expect(formatError("a == %@", .integer(1), .integer(2)) == nil)
    }

    @Test(arguments: [
        ("%d", PredicateValue.integer(-3), PredicateValue.integer(-3)),
        ("%i", .bool(true), .integer(1)),
        ("%u", .integer(3), .integer(3)),
        ("%ld", .integer(.max), .integer(.max)),
        ("%lld", .integer(.min), .integer(.min)),
        ("%lu", .double(4), .integer(4)),
        ("%x", .integer(255), .integer(255)),
        ("%f", .double(1.5), .double(1.5)),
        ("%5.2f", .double(1.5), .double(1.5)),
        ("%g", .integer(2), .double(2)),
        ("%c", .integer(97), .text("a")),
        ("%s", .text("x"), .text("x")),
        ("%@", .array([.null]), .array([.null])),
    ])
    func placeholders(_ sign: String, _ argument: PredicateValue, _ value: PredicateValue) throws {
        let wanted = PredicateComparison(.key("a"), .equal, .constant(value))
        #expect(try parse("a == \(sign)", argument) == .comparison(wanted))
    }

    @Test(arguments: [
        ("0x1F", PredicateValue.integer(31)), ("0b101", .integer(5)), ("0o17", .integer(15)),
        (".5", .double(0.5)), ("1e3", .double(1000)), ("1.5E-1", .double(0.15)),
        ("-7", .integer(-7)), ("- 7", .integer(-7)), ("9223372036854775807", .integer(.max)),
        ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .double(0x1p63)),
        (#"'\u00e9\uD83D\uDE00\d\*\\'"#, .text(#"é😀\d\*\"#)),
        ("CAST('2024-03-01T10:00:00Z', 'NSDate')", .date(730_980_000)),
        ("CAST('2024-03-01T11:30:00.5+01:30', 'NSDate')", .date(730_980_000.5)),
        ("CAST('2024-03-01', 'NSDate')", .date(730_944_000)),
        ("CAST('12', 'NSNumber')", .integer(12)),
    ])
    func literals(_ literal: String, _ value: PredicateValue) throws {
        let wanted = PredicateComparison(.constant(value), .equal, .key("a"))
        #expect(try parse("\(literal) == a") == .comparison(wanted))
    }

    @Test(arguments: [
        "(", "NOT ", "!", "-", "~", "ANY ", "ALL ", "{", "a[", "SUBQUERY(", "sum(", "TERNARY(",
        "1+", "1**", "1==", "a.", "$a:=", "[", "'", "\"", "\\", "%", "#", "@", "$", "a==1 AND ",
        "a UNION ", "CAST(", "FUNCTION(", "((a==1) AND ", "\0", "\u{fe}", "uti-",
    ])
    func hundredKilobytesOfOneThing(_ piece: String) {
        let count = 100_000 / piece.utf8.count
        let format = [[UInt8]](repeating: Array(piece.utf8), count: count).flatMap { $0 }
        #expect(throws: PredicateFormatError.self) { try PredicateParser.parse(format: format) }
    }

    @Test func longChainsAreNoDepth() throws {
        let format = String(repeating: "a == 1 OR ", count: 10_000) + "a == 2"
        let predicate = try parse(format)
        let object = PredicateValue.dictionary([Array("a".utf8): .integer(2)])
        #expect(predicate.evaluate(with: object))
        #expect(text(predicate) == format)
    }

    /// What the limit allows fits a small stack, also in a debug build whose frames are large.
    @Test(arguments: [
        ("NOT (", "1 == 1", ")", 2), ("(", "1 == 1", ")", 1), ("NOT ", "1 == 1", "", 1),
        ("1 == abs(", "1", ")", 1), ("1 == TERNARY(1 == 1, 1, ", "1", ")", 1),
        ("1 == SUBQUERY({1}, $x, ", "1 == 1", ")[0]", 3), ("1 == - ", "a", "", 1),
        ("1 == 2 + (", "a", ")", 1),
    ])
    func deepestPredicateFitsASmallStack(
        _ open: String, _ core: String, _ close: String, _ levels: Int
    ) async {
        let count = (PredicateParser.depthLimit - 4) / levels
        let rest = open.hasPrefix("1 == ") && levels == 1 ? String(open.dropFirst(5)) : open
        let format =
            open + String(repeating: rest, count: count - 1) + core
            + String(repeating: close, count: count)
        let isTrue = await withCheckedContinuation { continuation in
            let thread = Thread {
                let predicate = try? parse(format)
                let again = predicate.flatMap { try? parse(text($0)) }
                _ = predicate?.evaluate(with: .null)
                continuation.resume(returning: predicate == again && predicate != nil)
            }
            thread.stackSize = 1 << 20
            thread.start()
        }
        #expect(isTrue)
    }

    @Test func randomTextGivesAValueOrAnError() {
        let pieces = [
            "a", "b", "1", "'x'", "==", "<", "AND", "OR", "NOT", "(", ")", "{", "}", "[", "]", ",",
            ".", "ANY", "IN", "LIKE", "[cd]", "%@", "%K", "%d", "$x", ":=", "SELF", "SUBQUERY",
            "@count", "sum", "+", "-", "**", "UNION", "TERNARY", "CAST", "FIRST", "#", " ", "0x1",
            "add:to:", "UTI-EQUALS", "BETWEEN", "nil", "\"", "\\", "%%", "FUNCTION",
        ]
        var generator = SeededGenerator(state: 3)
        for _ in 0..<4000 {
            let count = Int.random(in: 0...12, using: &generator)
            let format = (0..<count).map { _ in pieces.randomElement(using: &generator)! }
                .joined(separator: Bool.random(using: &generator) ? " " : "")
            let result = try? PredicateParser.parse(
                format: Array(format.utf8), arguments: [.text("k"), .integer(1), .text("k")])
            guard let result else { continue }
            #expect(try! PredicateParser.parse(format: result.formatText) == result)
        }
    }

    /// Damaged predicates go further into the parser than random text does.
    @Test func damagedPredicatesGiveAValueOrAnError() {
        var generator = PredicateGenerator(seed: 9)
        var parsed = 0
        for _ in 0..<2000 {
            var format = generator.predicate(3).formatText
            let place = generator.roll(format.count)
            let end = min(format.count, place + generator.roll(3))
            let pieces = ["", "", " ", "(", ")", "'", "1", "a", ",", ".", "-", "!", "[", "$"]
            format.replaceSubrange(place..<end, with: pieces[generator.roll(pieces.count)].utf8)
            guard let result = try? PredicateParser.parse(format: format) else { continue }
            parsed += 1
            #expect(try! PredicateParser.parse(format: result.formatText) == result)
        }
        #expect(parsed > 200)
    }

    @Test func randomBytesGiveAValueOrAnError() {
        var generator = SeededGenerator(state: 4)
        for _ in 0..<4000 {
            let count = Int.random(in: 0...24, using: &generator)
            let format = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            do {
                _ = try PredicateParser.parse(format: format)
            } catch {
                #expect(error.offset <= format.count)
                #expect(!error.description.isEmpty)
            }
        }
    }
}
