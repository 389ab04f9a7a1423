// swift-tools-version: 6.2
import PackageDescription

// What scripts/bench measures in a process of its own; a package apart, so that whoever builds
// Ubiquity does not build it.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "Ubiquity", path: "..")],
    targets: [
        .executableTarget(
            name: "predicates", dependencies: [.product(name: "Ubiquity", package: "Ubiquity")])
    ],
    swiftLanguageModes: [.v6]
)
