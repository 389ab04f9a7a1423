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
            for (index, line) in file.lines.enumerated() where line.count > 100 {
                Issue.record("\(file.path):\(index + 1) has \(line.count) characters")
            }
        }
    }

    @Test func nothingIsPutOff() {
        // Written in parts, since this file is looked at too.
        let words = try! Regex("\\b(TO" + "DO|FIX" + "ME|X" + "XX)\\b")
        for file in SourceTree.written { expectNothing(file.lines(with: words)) }
    }

    @Test func inputEndsNoProcess() {
        for file in Self.product {
            expectNothing(file.lines(with: #/\bfatalError\(|\btry!/#))
        }
    }

    @Test func typesAreNamedForWhatTheyAre() {
        let declaration =
            #/
            \b(?:class|struct|enum|actor|protocol|typealias)\s+
            \w*(?:Manager|Helpers?|Utils?|Utilities)\b
            /#
        for file in Self.swift {
            expectNothing(file.lines(with: declaration))
            #expect(!file.path.contains(#/(?:Manager|Helpers?|Utils?|Utilities)(?:\.swift|/)/#))
        }
    }

    @Test func onlyTheLibraryIsPublic() {
        let isPublic = #/^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public|open)\s(?!import)/#
        for file in Self.product where !file.path.hasPrefix("Sources/Ubiquity") {
            expectNothing(file.lines(with: isPublic))
        }
    }

    /// Hosts that may be named: this machine, those kept for examples, and what is linked to.
    private static let hosts = [
        "127.0.0.1", "localhost", "example.org", "example.com", "www.apache.org",
    ]

    @Test func noHostIsNamedThatIsNotNeeded() {
        let host = #/https?:\/\/([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)/#
        for file in SourceTree.written {
            for line in file.lines {
                for match in line.matches(of: host) {
                    #expect(Self.hosts.contains(String(match.1)), "\(file.path): \(line)")
                }
            }
        }
    }

    @Test func noFolderOfOneMachineIsNamed() {
        let folders = try! Regex("(^|[\\s\"'=(`])/(wo" + "rk|ro" + "ot|ho" + "me/\\w+|o" + "pt)/")
        for file in SourceTree.written { expectNothing(file.lines(with: folders)) }
    }

    private func expectNothing(_ found: [String]) {
        for line in found { Issue.record("\(line)") }
    }
}
