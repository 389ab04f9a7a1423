// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target is compiled with: Swift 6 mode, warnings are errors, C calls are marked.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    // Replicas count what they touch of their trees (`TreeTable.swift`).
    .define("TREE_COUNTS", .when(configuration: .debug)),
]

/// Tests call C and unwrap freely; everything else is as in the product.
let testSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
]

func part(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func program(_ name: String, _ folder: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/Programs/\(folder)",
        swiftSettings: settings)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
    resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources,
        swiftSettings: testSettings)
}

/// A program written for Apple's SDK, unchanged, with a main of its own; no product.
func acceptance(_ name: String, _ folder: String) -> Target {
    .executableTarget(
        name: name, dependencies: ["Ubiquity"], path: "Tests/Acceptance/\(folder)",
        swiftSettings: testSettings)
}

let package = Package(
    name: "Ubiquity",
    products: [
        .library(name: "Ubiquity", targets: ["Ubiquity"]),
        .executable(name: "ubiquity", targets: ["ubiquity"]),
        .executable(name: "notes", targets: ["notes"]),
    ],
    targets: [
        // C libraries: Debian's packages, each behind one commented header.
        .target(name: "CLLHTTP", cSettings: [.define("LLHTTP_STRICT_MODE", to: "1")]),
        .target(name: "CLinux"),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),

        // Pure.
        part("SyncCore"),
        part("SyncWire", ["SyncCore"]),
        part("NotesCore", ["SyncCore"]),
        // Compiled to WebAssembly by scripts/build-wasm; as a target only to be tested.
        part("WebCore", ["SyncCore", "SyncWire"]),
        // What every build of the core must answer alike, compiled into the module that checks it.
        part("WebVectors", ["WebCore", "SyncCore", "SyncWire"]),

        // I/O.
        part("SyncStore", ["SyncCore", "SyncWire", "CSQLite", "CLinux", "COpenSSL"]),
        part("SyncTransport", ["SyncWire", "CLLHTTP", "COpenSSL", "CCurl", "CLinux"]),
        part("DeviceSocket", ["SyncWire", "CLinux"]),

        // Shells.
        part(
            "SyncServer",
            [
                "SyncCore", "SyncWire", "SyncStore", "SyncTransport", "CArgon2", "CLinux",
            ]),
        part(
            "SyncDevice",
            [
                "SyncCore", "SyncWire", "SyncStore", "SyncTransport", "DeviceSocket", "CLinux",
            ]),
        part("SyncSimulation", ["SyncCore", "SyncWire", "SyncStore"]),

        // Public.
        part("Ubiquity", ["SyncCore", "SyncWire", "DeviceSocket", "CLinux"]),
        part("Notes", ["Ubiquity", "NotesCore"]),

        // Programs: mains of a few lines.
        program(
            "ubiquity", "ubiquity",
            ["SyncServer", "SyncDevice", "DeviceSocket", "SyncWire", "SyncCore"]),
        program("notes", "notes", ["Notes"]),
        program("simulate", "simulate", ["SyncSimulation"]),
        program("vectors", "vectors", ["SyncSimulation", "WebVectors", "SyncWire"]),
        program("merges", "merges", ["SyncSimulation"]),
        program("planner", "planner", ["SyncSimulation"]),

        tests(
            "SyncCoreTests", ["SyncCore", "SyncWire", "SyncStore", "SyncSimulation"],
            exclude: ["Cases"]),
        tests("NotesCoreTests", ["NotesCore"]),
        tests("NotesTests", ["notes", "ubiquity"]),
        tests("SyncWireTests", ["SyncWire", "SyncCore"], resources: [.copy("Released")]),
        tests(
            "UbiquityTests",
            [
                "Ubiquity", "DeviceSocket", "SyncWire", "SyncCore", "ubiquity", "acceptance01",
                "acceptance02", "acceptance03", "acceptance04", "acceptance05", "coordinated",
                "ended",
            ]),
        acceptance("acceptance01", "CloudNoteDocument"),
        acceptance("acceptance02", "KeyValueNotes"),
        acceptance("acceptance03", "ArchivedNotesDocument"),
        acceptance("acceptance04", "BrowserAndStatus"),
        acceptance("acceptance05", "CompletionBlocks"),
        // Not one of Apple's: reads and writes one file from several processes.
        acceptance("coordinated", "CoordinatedWrites"),
        // With the notifications of the UIKit package: types into a document and is ended.
        acceptance("ended", "EndedProgram"),
        tests("DeviceSocketTests", ["DeviceSocket", "SyncWire", "SyncCore"]),
        tests(
            "WebCoreTests",
            ["WebVectors", "WebCore", "SyncSimulation", "SyncStore", "SyncWire", "SyncCore"]),
        tests("SyncStoreTests", ["SyncStore", "SyncWire", "SyncCore"]),
        tests("SyncTransportTests", ["SyncTransport", "SyncWire"]),
        tests("SyncSimulationTests", ["SyncSimulation", "SyncCore"]),
        tests("SyncDeviceDiskTests", ["SyncDevice", "SyncStore", "SyncCore"]),
        tests(
            "SyncServerTests",
            ["SyncServer", "SyncTransport", "SyncStore", "SyncWire", "SyncCore", "ubiquity"]),
        tests(
            "CommandTests",
            ["SyncDevice", "SyncStore", "DeviceSocket", "SyncWire", "SyncCore", "ubiquity"]),
        tests("ArchitectureTests", []),
    ],
    swiftLanguageModes: [.v6]
)
