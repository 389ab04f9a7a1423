import Foundation
import Testing

/// What the release build of `ubiquity` loads when it starts.
///
/// Whole Foundation costs 40 MB of memory for its tables of the world's languages, and twice the
/// time to start. `./test` builds the program before it comes here; where there is none, there is
/// nothing to look at.
struct LinkingTests {
    private static let program =
        SourceTree.root.appending(path: ".build/release/ubiquity").path
    private static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: program) }

    @Test(.enabled(if: isBuilt, "no release build"))
    func daemonAndServerDoWithoutFoundation() throws {
        let libraries = try output(of: ["ldd", Self.program])
        #expect(libraries.contains("libswiftCore"), "ldd says: \(libraries)")
        for banned in [
            "libFoundation.so", "lib_FoundationICU", "libFoundationInternationalization",
        ] {
            #expect(!libraries.contains(banned), "ubiquity loads \(banned)")
        }
    }

    @Test(.enabled(if: isBuilt, "no release build"))
    func daemonAndServerUseNoSymbolOfICU() throws {
        let symbols = try output(of: ["nm", "--dynamic", "--undefined-only", Self.program])
        #expect(!symbols.isEmpty)
        let used = symbols.split(separator: "\n").filter {
            $0.contains(#/ _?u(?:loc|dat|num|col)_/#)
        }
        #expect(used.isEmpty, "\(used)")
    }

    private func output(of command: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }
}
