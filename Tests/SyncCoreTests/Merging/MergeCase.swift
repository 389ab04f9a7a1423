import Foundation
import Testing

/// One line of `Cases/merge-cases.jsonl`: three texts, and what git made of them.
struct MergeCase: Decodable, CustomTestStringConvertible {
    struct Answer: Decodable {
        var status: String
        var text: String
    }

    var id: String
    var kind: String
    var base: String
    var ours: String
    var theirs: String
    var ideal: String?
    var git: Answer

    var testDescription: String { "\(id) \(kind)" }
    var isCleanInGit: Bool { git.status == "clean" }

    static let all: [MergeCase] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../Cases/merge-cases.jsonl")
        let lines = try! Data(contentsOf: file).split(separator: 0x0A)
        return lines.map { try! JSONDecoder().decode(MergeCase.self, from: $0) }
    }()
}

/// Returns the bytes of a text.
func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
