import Foundation
import SyncCore
import SyncSimulation
import Testing

/// `git merge-file` as the judge of random merges.
@Suite("Merging: against git", .enabled(if: GitMergeFile.isInstalled))
struct GitMergeTests {
    @Test("Random texts: the same verdict and the same bytes")
    func randomTextsAreAsInGit() throws {
        let git = try GitMergeFile()
        defer { git.removeFolder() }
        for seed in UInt64(1)...300 {
            var edits = RandomEdits(seed: seed)
            let (base, first, second) = edits.triple(lineLimit: seed % 20 == 0 ? 400 : 30)
            let expected = try git.merge(base: base, first: first, second: second)
            let result = TextMerge.merge(base: base, first: first, second: second)
            if case .merged(let text) = result {
                #expect(text == expected, "seed \(seed)")
            } else {
                #expect(expected == nil, "seed \(seed)")
            }
        }
    }

    @Test("Dear texts with good runs in them: the same verdict and the same bytes")
    func goodRunsAreTakenAsInGit() throws {
        let git = try GitMergeFile()
        defer { git.removeFolder() }
        for seed in UInt64(1)...2 {
            var edits = RandomEdits(seed: seed)
            // Long enough for paths to be taken before they are known to be the shortest.
            let base = (0..<40_000).map { _ in Int.random(in: 0..<900, using: &edits) }
            // Rewritten but for stretches that stand where they stood, or a little elsewhere.
            var first: [Int] = []
            for start in stride(from: 0, to: base.count, by: 100) {
                first += (0..<20).map { _ in Int.random(in: 0..<900, using: &edits) }
                if start % 300 == 0 { first.append(base[start]) }
                first += base[start + 20..<start + 100]
            }
            var second = base
            second.insert(77, at: Int.random(in: 0...base.count, using: &edits))
            let texts = [base, first, second].map { numbers in
                bytes(numbers.map { "\($0)\n" }.joined())
            }
            let expected = try git.merge(base: texts[0], first: texts[1], second: texts[2])
            let result = TextMerge.merge(base: texts[0], first: texts[1], second: texts[2])
            if let expected {
                #expect(result == .merged(expected), "seed \(seed)")
            } else if case .merged = result {
                Issue.record("git has a conflict, seed \(seed)")
            }
        }
    }

    @Test("Texts so different that the search is cut short: the same verdict and the same bytes")
    func dearTextsAreAsInGit() throws {
        let git = try GitMergeFile()
        defer { git.removeFolder() }
        for seed in UInt64(1)...6 {
            var edits = RandomEdits(seed: seed)
            let base = (0..<2_000).map { _ in Int.random(in: 0..<9, using: &edits) }
            // The first side is rewritten, the second has one line more: does it stand in a gap?
            let first = (0..<2_000).map { _ in Int.random(in: 0..<9, using: &edits) }
            var second = base
            second.insert(77, at: Int.random(in: 0...base.count, using: &edits))
            let texts = [base, first, second].map { numbers in
                bytes(numbers.map { "\($0)\n" }.joined())
            }
            let expected = try git.merge(base: texts[0], first: texts[1], second: texts[2])
            let result = TextMerge.merge(base: texts[0], first: texts[1], second: texts[2])
            if let expected {
                #expect(result == .merged(expected), "seed \(seed)")
            } else if case .merged = result {
                Issue.record("git has a conflict, seed \(seed)")
            }
        }
    }
}

/// Runs `git merge-file` in a folder of its own.
private struct GitMergeFile {
    private let folder: URL

    static let isInstalled: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git", "--version"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "merge-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func removeFolder() { try? FileManager.default.removeItem(at: folder) }

    /// Returns the merged text, or nil if there are conflicts.
    func merge(base: [UInt8], first: [UInt8], second: [UInt8]) throws -> [UInt8]? {
        for (name, text) in [("base", base), ("first", first), ("second", second)] {
            try Data(text).write(to: folder.appending(path: name))
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git", "merge-file", "-q", "first", "base", "second"]
        process.currentDirectoryURL = folder
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return Array(try Data(contentsOf: folder.appending(path: "first")))
    }
}
