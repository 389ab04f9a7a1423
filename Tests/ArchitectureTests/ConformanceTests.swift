import Foundation
import Testing

/// Each rule of the protocol is held by a test that exists.
struct ConformanceTests {
    private static func lines(of path: String) throws -> [String] {
        let file = SourceTree.root.appending(path: path)
        return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    }

    /// The rules, each once, in their order.
    private static func rules() throws -> [String] {
        try lines(of: "Docs/Protocol.md").compactMap { line in
            guard let match = line.firstMatch(of: /^- \*\*([A-Z][0-9]+[a-z]?)\*\*/) else {
                return nil
            }
            return String(match.1)
        }
    }

    private static func rows() throws -> [(rule: String, text: String)] {
        try lines(of: "Docs/Conformance.md").compactMap { line in
            guard let match = line.firstMatch(of: /^\| ([A-Z][0-9]+[a-z]?) \|/) else { return nil }
            return (String(match.1), line)
        }
    }

    @Test func everyRuleHasARowInTheOrderOfTheProtocol() throws {
        #expect(try Self.rows().map(\.rule) == Self.rules())
    }

    @Test func whatIsNamedExists() throws {
        var known = Set(
            SourceTree.swiftFiles(of: "Sources/SyncSimulation/Checkers")
                .map { URL(filePath: $0.path).deletingPathExtension().lastPathComponent })
        for file in SourceTree.swiftFiles(of: "Tests") {
            for line in file.lines {
                for match in line.matches(of: /func (\w+)/) { known.insert(String(match.1)) }
            }
        }
        for script in try Self.scenarios() {
            for line in script.components(separatedBy: "\n") {
                for match in line.matches(of: /def (test_\w+)/) { known.insert(String(match.1)) }
            }
        }
        for row in try Self.rows() {
            let names = row.text.matches(of: /`(\w+)`/).map { String($0.1) }
            #expect(!names.isEmpty, "\(row.rule) names nothing")
            for name in names { #expect(known.contains(name), "\(row.rule) names \(name)") }
        }
    }

    private static func scenarios() throws -> [String] {
        let folder = SourceTree.root.appending(path: "Tests/EndToEnd")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".py") }
            .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    }
}
