import Foundation
import Testing

@testable import Ubiquity

@Suite struct EntitlementsTests {
    @Test func variablesComeFromTheApplicationIdentifier() throws {
        let list: [String: Any] = [
            "application-identifier": "TEAM.com.example.app",
            "com.apple.developer.ubiquity-container-identifiers": [
                "iCloud.$(CFBundleIdentifier)", "iCloud.other",
            ],
            "com.apple.developer.ubiquity-kvstore-identifier":
                "$(TeamIdentifierPrefix)$(CFBundleIdentifier)",
        ]
        let entitlements = try #require(Entitlements(propertyList: xml(list), programName: "app"))
        #expect(entitlements.containers == ["iCloud.com.example.app", "iCloud.other"])
        #expect(entitlements.keyValueStore == "TEAM.com.example.app")
    }

    @Test func withoutAnApplicationIdentifierTheProgramsNameStands() throws {
        let list = ["com.apple.developer.ubiquity-kvstore-identifier": "x.$(CFBundleIdentifier)"]
        let entitlements = try #require(Entitlements(propertyList: xml(list), programName: "app"))
        #expect(entitlements.keyValueStore == "x.app")
        #expect(entitlements.containers.isEmpty)
    }

    @Test func aProgramWithoutAFileHasTheStandardOnes() throws {
        let program = URL(fileURLWithPath: "/nowhere/program")
        #expect(try Entitlements.ofProgram(program, environment: [:]) == .standard)
    }

    @Test func aNamedFileMustBeThere() {
        #expect(throws: EntitlementsError.self) {
            try Entitlements.ofProgram(nil, environment: ["UBIQUITY_ENTITLEMENTS": "/nowhere/x"])
        }
    }

    private func xml(_ list: [String: Any]) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    }
}
