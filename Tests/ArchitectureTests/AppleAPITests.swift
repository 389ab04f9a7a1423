import Foundation
import Testing

/// Each sentence of Apple's that the library keeps has a number, and a test that exists.
struct AppleAPITests {
    private static func rows() throws -> [[String]] {
        let file = SourceTree.root.appending(path: "Docs/AppleAPI.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        return text.components(separatedBy: "\n").compactMap { line in
            guard line.firstMatch(of: /^\| [A-Z][0-9]+ \|/) != nil else { return nil }
            return line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        }
    }

    @Test func everySentenceHasItsNumberAndItsTest() throws {
        let rows = try Self.rows()
        #expect(rows.count > 50)
        #expect(Set(rows.map { $0[0] }).count == rows.count, "a number is given twice")
        let tests = SourceTree.swiftFiles(of: "Tests/UbiquityTests").flatMap(\.lines)
            .compactMap { $0.firstMatch(of: /\bfunc (\w+)\(/).map { String($0.1) } }
        for row in rows {
            #expect(row.count == 4, "\(row[0]) has \(row.count) columns")
            let named = row[2].matches(of: /`(\w+)`/).map { String($0.1) }
            #expect(!named.isEmpty, "\(row[0]) has no test")
            for name in named { #expect(tests.contains(name), "\(row[0]) names \(name)") }
        }
    }
}
