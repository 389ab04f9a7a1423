// swift-tools-version: 6.2
import PackageDescription

// A package of its own: whether a file can import UIKit must not depend on what was built before.
let package = Package(
    name: "UIKit",
    products: [.library(name: "UIKit", targets: ["UIKit"])],
    dependencies: [.package(name: "Ubiquity", path: "../..")],
    targets: [
        .target(name: "UIKit", dependencies: [.product(name: "Ubiquity", package: "Ubiquity")])
    ],
    swiftLanguageModes: [.v6]
)
