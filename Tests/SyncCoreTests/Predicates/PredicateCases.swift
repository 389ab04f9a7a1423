import Foundation
import SyncCore

/// A row of `Cases/predicate-cases.jsonl`.
struct PredicateCase: Sendable, CustomStringConvertible {
    enum Outcome: String, Sendable {
        case isTrue = "true"
        case isFalse = "false"
        case parseError = "parse-error"
        case evaluationError = "eval-error"
    }

    let id: String
    let format: String
    let arguments: [PredicateValue]
    let object: PredicateValue
    let variables: [[UInt8]: PredicateValue]
    let expected: Outcome
    let isCertain: Bool

    var description: String { "\(id): \(format.prefix(80))" }

    static let all: [PredicateCase] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Cases/predicate-cases.jsonl")
        let text = try! String(contentsOf: file, encoding: .utf8)
        return text.split(separator: "\n").map { PredicateCase(line: Data($0.utf8)) }
    }()

    private init(line: Data) {
        let row = try! JSONSerialization.jsonObject(with: line) as! [String: Any]
        id = row["id"] as! String
        format = row["format"] as! String
        arguments = (row["args"] as? [Any] ?? []).map(value(ofJSON:))
        object = row["object"].map(value(ofJSON:)) ?? .null
        isCertain = row["confidence"] as! String == "high"
        var variables: [[UInt8]: PredicateValue] = [:]
        for (name, json) in row["vars"] as? [String: Any] ?? [:] {
            variables[Array(name.utf8)] = value(ofJSON: json)
        }
        self.variables = variables
        let expect = row["expect"]!
        let text = expect as? String ?? ((expect as! NSNumber).boolValue ? "true" : "false")
        expected = Outcome(rawValue: text)!
    }

    func outcome() -> Outcome {
        let predicate: SyncCore.Predicate
        do {
            predicate = try PredicateParser.parse(
                format: Array(format.utf8), arguments: arguments)
        } catch {
            return .parseError
        }
        let context = PredicateContext(services: .foundation, variables: variables)
        do {
            return try predicate.evaluation(of: object, in: context) ? .isTrue : .isFalse
        } catch {
            return .evaluationError
        }
    }
}

private func value(ofJSON json: Any) -> PredicateValue {
    switch json {
    case let text as String: return .text(text)
    case let number as NSNumber:
        if isBoolean(number) { return .bool(number.boolValue) }
        let isWhole = "qlisCSILQ".contains(String(cString: number.objCType))
        return isWhole ? .integer(number.int64Value) : .double(number.doubleValue)
    case let members as [Any]: return .array(members.map(value(ofJSON:)))
    case let entries as [String: Any]:
        if let date = entries["$date"] as? String {
            return .date(
                ISO8601DateFormatter().date(from: date)!.timeIntervalSinceReferenceDate)
        }
        var result: [[UInt8]: PredicateValue] = [:]
        for (key, entry) in entries { result[Array(key.utf8)] = value(ofJSON: entry) }
        return .dictionary(result)
    default: return .null
    }
}

/// JSON's true and false come as numbers whose type is a character.
private func isBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c"
}

extension PredicateServices {
    /// Services as an app on Linux has them.
    static let foundation = PredicateServices(
        matches: { text, pattern, options in
            var regexOptions: NSRegularExpression.Options = []
            if options.contains(.caseInsensitive) { regexOptions.insert(.caseInsensitive) }
            guard
                let regex = try? NSRegularExpression(
                    pattern: "\\A(?:" + String(decoding: pattern, as: UTF8.self) + ")\\z",
                    options: regexOptions)
            else { return nil }
            let string = String(decoding: text, as: UTF8.self)
            let whole = NSRange(string.startIndex..., in: string)
            return regex.firstMatch(in: string, range: whole) != nil
        },
        now: { Date().timeIntervalSinceReferenceDate },
        random: { UInt64.random(in: .min ... .max) })
}
