import Foundation
import Testing

/// Who may import whom: the table of `ARCHITECTURE.md`.
struct ImportTests {
    /// What comes with the language on Linux; the pure targets do without it.
    private static let system: Set<String> = ["Glibc", "Synchronization", "Dispatch"]

    private static let allowed: [String: Set<String>] = [
        "SyncCore": [],
        "SyncWire": ["SyncCore"],
        "NotesCore": ["SyncCore"],
        "WebCore": ["SyncCore", "SyncWire"],
        "WebVectors": ["WebCore", "SyncCore", "SyncWire"],
        "SyncStore": system.union(["SyncCore", "SyncWire", "CSQLite", "CLinux", "COpenSSL"]),
        "SyncTransport": system.union(["SyncWire", "CLLHTTP", "COpenSSL", "CCurl", "CLinux"]),
        "DeviceSocket": system.union(["SyncWire", "CLinux"]),
        "SyncServer": system.union([
            "SyncCore", "SyncWire", "SyncStore", "SyncTransport", "FoundationEssentials",
            "CArgon2", "CLinux",
        ]),
        "SyncDevice": system.union([
            "SyncCore", "SyncWire", "SyncStore", "SyncTransport", "DeviceSocket",
            "FoundationEssentials", "CLinux",
        ]),
        "SyncSimulation": system.union(["SyncCore", "SyncWire", "SyncStore"]),
        // CLinux for swapping two files: a document is saved over the one it was read from.
        "Ubiquity": system.union(["SyncCore", "SyncWire", "DeviceSocket", "Foundation", "CLinux"]),
        "UbiquityTesting": system.union(["Ubiquity", "SyncSimulation", "SyncCore", "SyncWire"]),
        "Notes": system.union(["Ubiquity", "NotesCore", "Foundation"]),
        "Programs/ubiquity": system.union([
            "SyncServer", "SyncDevice", "DeviceSocket", "SyncWire", "SyncCore",
        ]),
        "Programs/notes": system.union(["Notes"]),
        "Programs/simulate": system.union(["SyncSimulation"]),
        "Programs/merges": system.union(["SyncSimulation"]),
        "Programs/planner": ["SyncSimulation"],
        "Programs/vectors": system.union(["SyncSimulation", "WebVectors", "SyncWire"]),
    ]

    /// C targets have no Swift in them.
    private static let targets = SourceTree.targets.filter {
        !SourceTree.swiftFiles(of: "Sources/\($0)").isEmpty
    }

    @Test(arguments: targets)
    func targetImportsOnlyWhatTheTableAllows(target: String) throws {
        let allowed = try #require(Self.allowed[target], "\(target) has no row in the table")
        for file in SourceTree.swiftFiles(of: "Sources/\(target)") {
            for line in file.lines {
                guard let module = Self.importedModule(line) else { continue }
                #expect(allowed.contains(module), "\(file.path) imports \(module)")
            }
        }
    }

    @Test func importsAreRecognised() {
        let lines = [
            "import Glibc", "package import Glibc", "@testable import Glibc",
            "@_exported public import Glibc", "  import struct Glibc.timespec",
            "@preconcurrency internal import Glibc // why", "import Glibc.math",
        ]
        for line in lines { #expect(Self.importedModule(line[...]) == "Glibc", "\(line)") }
        for line in ["/// import Glibc", "let important = 1", "importGlibc", "// import Glibc"] {
            #expect(Self.importedModule(line[...]) == nil, "\(line)")
        }
    }

    private static func importedModule(_ line: Substring) -> String? {
        guard line.contains("import") else { return nil }
        let pattern =
            #/
            ^\s*(?:@\w+(?:\([^)]*\))?\s+)*
            (?:(?:public|package|internal|fileprivate|private)\s+)?
            import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)
            /#
        return line.firstMatch(of: pattern).map { String($0.1) }
    }
}
