import Foundation
import Testing

/// The rules of `CONTRIBUTING.md` that a machine can hold.
struct StyleTests {
    private static let swift = SourceTree.written.filter { $0.path.hasSuffix(".swift") }
    private static let product = swift.filter { $0.path.hasPrefix("Sources/") }
    private static let code = SourceTree.written.filter { !$0.path.hasSuffix(".md") }

    @Test func filesAreShort() {
        for file in Self.code where file.path != "LICENSE" {
            #expect(file.lines.count < 500, "\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test func linesAreShort() {
        for file in Self.code {
            for (index, line) in file.lines.enumerated()
            where line.utf8.count > 100 && line.count > 100 {
                Issue.record("\(file.path):\(index + 1) has \(line.count) characters")
            }
        }
    }

    @Test func nothingIsPutOff() throws {
        // Written in parts, since this file is looked at too.
        let words = ["TO" + "DO", "FIX" + "ME", "X" + "XX"]
        let pattern = try Regex("\\b(\(words.joined(separator: "|")))\\b")
        for file in SourceTree.written {
            expectNothing(file.lines(with: pattern, mentioning: words))
        }
    }

    @Test func inputEndsNoProcess() {
        for file in Self.product {
            expectNothing(
                file.lines(with: #/\bfatalError\(|\btry!/#, mentioning: ["fatalError", "try!"]))
        }
    }

    /// Embedded Swift, which the browser's core is compiled as, has none.
    @Test func pureTargetsUseNoKeyPaths() {
        let keyPath = #/[( ]\\\.[a-z]/#
        let pure = ["SyncCore", "SyncWire", "NotesCore", "WebCore", "WebVectors"]
        for file in Self.product
        where pure.contains(where: { file.path.hasPrefix("Sources/\($0)/") }) {
            expectNothing(file.lines(with: keyPath, mentioning: ["\\."]))
        }
    }

    /// The library is left out: it has Apple's names.
    @Test func typesAreNamedForWhatTheyAre() {
        let declaration =
            #/
            \b(?:class|struct|enum|actor|protocol|typealias)\s+
            \w*(?:Manager|Helpers?|Utils?|Utilities)\b
            /#
        let words = ["Manager", "Helper", "Util"]
        for file in Self.swift where !file.path.hasPrefix("Sources/Ubiquity/") {
            expectNothing(file.lines(with: declaration, mentioning: words))
            #expect(!file.path.contains(#/(?:Manager|Helpers?|Utils?|Utilities)(?:\.swift|\/)/#))
        }
    }

    @Test func onlyTheLibraryIsPublic() {
        let isPublic =
            #/
            ^\s*(?:@\w+(?:\([^)]*\))?\s+)*
            (?:public\s+(?!import\b)|open\s+(?:class|func|var|subscript|override)\b)
            /#
        for file in Self.product where !file.path.hasPrefix("Sources/Ubiquity") {
            expectNothing(file.lines(with: isPublic, mentioning: ["public", "open"]))
        }
    }

    /// Hosts that may be named: this machine, those kept for examples, and the licence's.
    private static var hosts: Regex<Substring> {
        #/
        127\.0\.0\.1|localhost|(?:.*\.)?example(?:\.org|\.com)?|www\.apache\.org|www\.w3\.org
        /#
    }

    @Test func noHostIsNamedThatIsNotNeeded() {
        let host = #/https?:\/\/([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)/#
        for file in SourceTree.written {
            for line in file.lines where line.contains("://") {
                for match in line.matches(of: host) {
                    #expect(match.1.wholeMatch(of: Self.hosts) != nil, "\(file.path): \(line)")
                }
            }
        }
    }

    @Test func noFolderOfOneMachineIsNamed() throws {
        let folders = ["/wo" + "rk/", "/ro" + "ot/", "/tmp" + "/wt/"]
        let pattern = try Regex("(^|[\\s\"'=(`])(\(folders.joined(separator: "|")))")
        for file in SourceTree.written {
            expectNothing(file.lines(with: pattern, mentioning: folders))
        }
    }

    private func expectNothing(_ found: [String]) {
        for line in found { Issue.record("\(line)") }
    }
}
