import FuzzSupport
import SyncCore

/// The text of a predicate: it is parsed or refused, printed as what parses to the same, evaluated.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let format = [UInt8](fuzzed: start, count)
    let arguments: [PredicateValue] = [.text("name"), .integer(3), .array([.text("a"), .null])]
    if let predicate = try? PredicateParser.parse(format: format, arguments: arguments) {
        // A format is a text; what is none must do no harm, but cannot be printed as it was.
        let isText = String(decoding: format, as: UTF8.self).utf8.elementsEqual(format)
        if isText { check(predicate) }
    }
    if let expression = try? PredicateParser.parseExpression(format: format, arguments: arguments) {
        _ = try? expression.value(with: item, in: context)
    }
    return 0
}

private func check(_ predicate: Predicate) {
    let text = predicate.formatText
    let again = try? PredicateParser.parse(format: text)
    require(again == predicate, "\(predicate) is printed as \(text), which is another")
    _ = predicate.evaluate(with: item, in: context)
    _ = predicate.evaluate(with: .array([item, .null]), in: context)
    _ = predicate.indexConstraints
    _ = predicate.substituting(context.variables)
}

/// Has a value of each kind, under the names that the seeds use.
private let item = PredicateValue.dictionary([
    Array("a".utf8): .integer(1), Array("b".utf8): .integer(.max), Array("c".utf8): .double(-0.5),
    Array("s".utf8): .text("Stra\u{DF}e"), Array("name".utf8): .text("n\u{E9} A.txt"),
    Array("x".utf8): .data([0xFF, 0]), Array("d".utf8): .date(7.3e8), Array("n".utf8): .null,
    Array("t".utf8): .bool(true), Array("tags".utf8): .array([.text("x"), .text("Y"), .null]),
    Array("numbers".utf8): .array([.integer(.min), .double(.nan), .integer(3)]),
    Array("sub".utf8): .dictionary([Array("k".utf8): .array([.dictionary([:]), .integer(0)])]),
    Array("o".utf8): .opaque(PredicateOpaque(type: [1], identity: [2])),
])

/// Without a clock, chance or a language, so that the same bytes always do the same.
private var context: PredicateContext {
    PredicateContext(
        services: PredicateServices(
            matches: { text, pattern, _ in text == pattern }, now: { 7.3e8 }, random: { 7 }),
        variables: [Array("v".utf8): .integer(2), Array("w".utf8): .text("x")])
}
