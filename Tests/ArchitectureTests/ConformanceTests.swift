import Foundation
import Testing

/// Each rule of the protocol has a number, and is held by a test that exists.
struct ConformanceTests {
    /// Such as `C4b.1`: a number behind a point belongs to the rule before it.
    private static let number = "[A-Z][0-9]+[a-z]?(?:\\.[0-9]+)?"

    private static func lines(of path: String) throws -> [String] {
        let file = SourceTree.root.appending(path: path)
        return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    }

    private struct Rule {
        let number: String
        var text: String
    }

    /// The rules in their order, each with its lines, and all that is in none.
    private static func protocolText() throws -> (rules: [Rule], rest: [String]) {
        let beginning = try Regex("^- \\*\\*(\(number))\\*\\*", as: (Substring, Substring).self)
        var rules: [Rule] = []
        var rest: [String] = []
        var isInRule = false
        for line in try lines(of: "Docs/Protocol.md") {
            if let match = line.firstMatch(of: beginning) {
                rules.append(Rule(number: String(match.1), text: line))
                isInRule = true
            } else if isInRule, line.hasPrefix("  ") {
                rules[rules.count - 1].text += " " + line
            } else {
                isInRule = false
                rest.append(line)
            }
        }
        return (rules, rest)
    }

    private static func rows() throws -> [Rule] {
        let beginning = try Regex("^\\| (\(number)) \\|", as: (Substring, Substring).self)
        return try lines(of: "Docs/Conformance.md").compactMap { line in
            line.firstMatch(of: beginning).map { Rule(number: String($0.1), text: line) }
        }
    }

    @Test func everyRuleSaysOneThing() throws {
        let rules = try Self.protocolText().rules
        #expect(Set(rules.map(\.number)).count == rules.count, "a number is given twice")
        for rule in rules {
            let words = rule.text.matches(of: /\b(?:MUST|SHOULD|MAY)\b/).count
            #expect(words == 1, "\(rule.number) has \(words) of MUST, SHOULD and MAY")
        }
    }

    @Test func whatBindsIsInARule() throws {
        let text = try Self.protocolText().rest
        // The document's own words for them come first.
        let first = try #require(text.firstIndex { $0.hasPrefix("## ") })
        for line in text[first...] {
            #expect(!line.contains(#/\b(?:MUST|SHOULD|MAY)\b/#), "without a number: \(line)")
        }
    }

    @Test func everyRuleHasARowInTheOrderOfTheProtocol() throws {
        #expect(try Self.rows().map(\.number) == Self.protocolText().rules.map(\.number))
    }

    @Test func everyRowNamesWhatExists() throws {
        let tests = try Self.tests()
        let checkers = Set(
            SourceTree.swiftFiles(of: "Sources/SyncSimulation/Checkers")
                .map { URL(filePath: $0.path).deletingPathExtension().lastPathComponent })
        let hazards = Self.named(
            in: SourceTree.swiftFiles(of: "Tests/SyncSimulationTests/Hazards"),
            #/number: "(\w+)"/#)
        let mutants = Self.mutants
        for row in try Self.rows() {
            let cells = row.text.components(separatedBy: " | ")
            let named = cells[1].matches(of: #/`(\w+)`/#).map { String($0.1) }
            let played = cells[1].matches(of: #/hazard (\w+)/#).map { String($0.1) }
            #expect(!named.isEmpty || !played.isEmpty, "\(row.number) has no test")
            for name in named { #expect(tests.contains(name), "\(row.number) names \(name)") }
            for name in played { #expect(hazards.contains(name), "\(row.number) plays \(name)") }
            for match in cells[2].matches(of: #/`(\w+)`/#) {
                #expect(checkers.contains(String(match.1)), "\(row.number) names \(match.1)")
            }
            for match in cells[2].matches(of: #/\*([\w-]+)\*/#) {
                #expect(mutants.contains(String(match.1)), "\(row.number) names \(match.1)")
            }
        }
    }

    /// The functions that are tests, of Swift and of the scenarios from outside.
    private static func tests() throws -> Set<String> {
        var names: Set<String> = []
        for file in SourceTree.swiftFiles(of: "Tests") {
            var isTest = false
            for line in file.lines {
                if line.contains("@Test") { isTest = true }
                guard let match = line.firstMatch(of: #/\bfunc (\w+)/#) else { continue }
                if isTest { names.insert(String(match.1)) }
                isTest = false
            }
        }
        let folder = SourceTree.root.appending(path: "Tests/EndToEnd")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasSuffix(".py") {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for match in text.matches(of: #/def (test_\w+)/#) { names.insert(String(match.1)) }
        }
        return names
    }

    /// Such as `stale-merge`.
    private static var mutants: Set<String> {
        named(
            in: SourceTree.swiftFiles(of: "Sources/SyncCore/Model")
                .filter { $0.path.hasSuffix("/Mutant.swift") },
            #/case \w+ = "([\w-]+)"/#)
    }

    private static func named(
        in files: [SourceFile], _ pattern: Regex<(Substring, Substring)>
    ) -> Set<String> {
        var names: Set<String> = []
        for line in files.flatMap(\.lines) {
            if let match = line.firstMatch(of: pattern) { names.insert(String(match.1)) }
        }
        return names
    }
}
