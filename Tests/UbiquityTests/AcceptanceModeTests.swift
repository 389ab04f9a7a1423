import Foundation
import Testing

/// The programs as every compiler setting sees them: without a diagnostic.
@Suite(.timeLimit(.minutes(5)), .serialized) struct AcceptanceModeTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "modes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test(arguments: ["5", "6"]) func compileWithUbiquityAlone(_ mode: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try compile(try sources(), "-swift-version", mode) == "")
    }

    @Test(arguments: ["5", "6"]) func compileWithFoundationBeside(_ mode: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let sources = try sources { "import Foundation\n" + $0 }
        #expect(try compile(sources, "-swift-version", mode) == "")
    }

    @Test(arguments: ["5", "6"]) func compileWithUIKit(_ mode: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let shim = Self.root.appendingPathComponent("Compat/UIKit/Sources/UIKit")
        let files = try FileManager.default.contentsOfDirectory(
            at: shim, includingPropertiesForKeys: nil)
        let module = folder.appendingPathComponent("UIKit.swiftmodule").path
        let made = try run(
            files + [],
            ["-emit-module", "-module-name", "UIKit", "-emit-module-path", module]
                + ["-parse-as-library", "-swift-version", "6", "-package-name", "compat"])
        #expect(made == "")
        // Without Ubiquity's name in them: what they import is UIKit.
        let sources = try sources { text in
            text.replacing("#else\nimport Ubiquity\n", with: "")
        }
        #expect(try compile(sources, "-swift-version", mode, "-I", folder.path) == "")
    }

    /// The five programs, perhaps altered, as files of one module.
    private func sources(_ change: (String) -> String = { $0 }) throws -> [URL] {
        let tests = Self.root.appendingPathComponent("Tests/Acceptance")
        return try [
            "CloudNoteDocument", "KeyValueNotes", "ArchivedNotesDocument", "BrowserAndStatus",
            "CompletionBlocks",
        ].map { name in
            let text = try String(
                contentsOf: tests.appendingPathComponent("\(name)/\(name).swift"),
                encoding: .utf8)
            let file = folder.appendingPathComponent("\(name).swift")
            try change(text).write(to: file, atomically: true, encoding: .utf8)
            return file
        }
    }

    private func compile(_ files: [URL], _ options: String...) throws -> String {
        try run(files, ["-typecheck", "-parse-as-library", "-module-name", "Programs"] + options)
    }

    /// What the compiler says; nothing if all is well.
    private func run(_ files: [URL], _ options: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let modules = productsFolder.appendingPathComponent("Modules").path
        let map = productsFolder.appendingPathComponent("CLinux.build/module.modulemap").path
        process.arguments =
            ["swiftc"] + options
            + ["-I", modules, "-Xcc", "-fmodule-map-file=\(map)"] + files.map(\.path)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: said, as: UTF8.self)
        return process.terminationStatus == 0 || !text.isEmpty ? text : "swiftc failed"
    }
}
