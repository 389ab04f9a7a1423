import Foundation

/// The checkout that this test was compiled from, as text.
enum SourceTree {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The targets' folders: those of `Sources`, and each program's.
    static let targets: [String] = {
        let libraries = folders(in: "Sources").filter { $0 != "Programs" }
        return libraries + folders(in: "Sources/Programs").map { "Programs/\($0)" }
    }()

    static func swiftFiles(of folder: String) -> [SourceFile] {
        files(below: folder).filter { $0.path.hasSuffix(".swift") }
    }

    /// All that is written by hand: sources, tests without their cases, scripts and documents.
    static let written: [SourceFile] = {
        let folders = ["Sources", "Tests", "Benchmarks", "Fuzz/Sources/Fuzzers", "Web"]
        let code = folders.flatMap(files(below:)).filter {
            [".swift", ".py", ".h", ".c", ".modulemap"].contains(where: $0.path.hasSuffix)
        }
        let documents = ["scripts", "Docs", ".ci"].flatMap(files(below:))
        return code + documents + files(in: "")
    }()

    /// Folders that hold what was given, to be used unchanged, or what a script has made.
    private static let data = ["Cases", "Released", "Acceptance", "Performance", "__pycache__"]

    private static func folders(in folder: String) -> [String] {
        names(in: folder).filter { isFolder("\(folder)/\($0)") }
    }

    private static func files(below folder: String) -> [SourceFile] {
        guard isFolder(folder) else { return [] }
        let nested = names(in: folder).filter { isFolder("\(folder)/\($0)") }
            .filter { !data.contains($0) }
        return files(in: folder) + nested.flatMap { files(below: "\(folder)/\($0)") }
    }

    /// The text files of one folder; what is no UTF-8 is data.
    private static func files(in folder: String) -> [SourceFile] {
        let prefix = folder.isEmpty ? "" : "\(folder)/"
        return names(in: folder).filter { !isFolder("\(prefix)\($0)") }.compactMap { name in
            let url = root.appending(path: "\(prefix)\(name)")
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
            return SourceFile(path: "\(prefix)\(name)", text: text)
        }
    }

    private static func names(in folder: String) -> [String] {
        let path = root.appending(path: folder).path
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
            .filter { ![".git", ".build", ".ubiquity-run"].contains($0) }.sorted()
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let path = root.appending(path: path).path
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
    }
}

/// A file of the checkout.
struct SourceFile {
    /// From the checkout's root.
    let path: String
    let lines: [Substring]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The lines that a pattern is found in, each as `path:number: text`.
    ///
    /// Only those that mention one of the words are tried: that is much faster.
    func lines(with pattern: some RegexComponent, mentioning words: [String]) -> [String] {
        lines.enumerated()
            .filter { line in words.contains { line.element.contains($0) } }
            .filter { $0.element.contains(pattern) }
            .map { "\(path):\($0.offset + 1): \($0.element)" }
    }
}
