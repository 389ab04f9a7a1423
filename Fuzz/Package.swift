// swift-tools-version: 6.2
import PackageDescription

/// The fuzzers: programs without a main, which a sanitizer's library drives (`scripts/fuzz`).
///
/// They are a package of their own because such a program links in no other build. The sources of
/// the parts that they try are links into the main package: what is `package` there is then seen
/// here, and everything is compiled with the counters that the fuzzer steers by.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
]

func part(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func fuzzer(_ name: String) -> Target {
    .executableTarget(
        name: name, dependencies: ["SyncCore", "SyncWire", "FuzzSupport"],
        path: "Sources/Fuzzers/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "Fuzz",
    targets: [
        part("SyncCore"),
        part("SyncWire", ["SyncCore"]),
        part("FuzzSupport", ["SyncWire"]),
        fuzzer("requests"),
        fuzzer("answers"),
        fuzzer("entries"),
        fuzzer("device-socket"),
        fuzzer("rows"),
        fuzzer("device-core"),
        fuzzer("predicates"),
        fuzzer("merge"),
    ],
    swiftLanguageModes: [.v6]
)
