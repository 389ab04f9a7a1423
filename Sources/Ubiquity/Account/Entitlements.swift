import Foundation

/// What a program may use of iCloud.
///
/// A program without an entitlements file has the standard ones, those of the notes app and of the
/// command line.
struct Entitlements: Equatable, Sendable {
    /// The first is the default container.
    var containers: [String]
    /// Nil if the program has no key-value store.
    var keyValueStore: String?

    static let standard = Entitlements(
        containers: ["iCloud.org.ubiquity.notes"], keyValueStore: "org.ubiquity.notes")
}

/// The entitlements file is there and cannot be understood.
struct EntitlementsError: Error, Hashable, Sendable {
    var path: String
    var problem: String
}

extension Entitlements {
    /// Those of this program: from the file that `UBIQUITY_ENTITLEMENTS` names, or from
    /// `PROGRAM.entitlements` beside the program.
    ///
    /// A file that was named must be there; the one beside the program need not.
    static func ofProgram(
        _ program: URL? = Bundle.main.executableURL,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(EntitlementsError) -> Entitlements {
        if let named = environment["UBIQUITY_ENTITLEMENTS"], !named.isEmpty {
            return try read(named, program: program)
        }
        guard let program else { return .standard }
        let beside = program.appendingPathExtension("entitlements").path
        guard FileManager.default.fileExists(atPath: beside) else { return .standard }
        return try read(beside, program: program)
    }

    private static func read(
        _ path: String, program: URL?
    ) throws(EntitlementsError) -> Entitlements {
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw EntitlementsError(path: path, problem: "it cannot be read")
        }
        let name = program?.lastPathComponent ?? ProcessInfo.processInfo.processName
        guard let entitlements = Entitlements(propertyList: bytes, programName: name) else {
            throw EntitlementsError(path: path, problem: "it is no property list of entitlements")
        }
        return entitlements
    }

    /// Nil if the bytes are no property list that is a dictionary.
    init?(propertyList: Data, programName: String) {
        let list = try? unsafe PropertyListSerialization.propertyList(
            from: propertyList, format: nil)
        guard let list = list as? [String: Any] else { return nil }
        let program = ProgramIdentifier(list["application-identifier"] as? String, programName)
        let containers = containerKeys.lazy.compactMap { list[$0] as? [String] }.first
        self.containers = (containers ?? []).map(program.expanded)
        keyValueStore = (list[keyValueStoreKey] as? String).map(program.expanded)
    }
}

private let containerKeys = [
    "com.apple.developer.ubiquity-container-identifiers",
    "com.apple.developer.icloud-container-identifiers",
]
private let keyValueStoreKey = "com.apple.developer.ubiquity-kvstore-identifier"

/// TEAM.BUNDLE, which the variables of an entitlements file stand for.
private struct ProgramIdentifier {
    /// With the dot behind it, as Apple's build system has it; empty without a team.
    var teamPrefix = ""
    var bundle: String

    init(_ identifier: String?, _ programName: String) {
        bundle = programName
        guard let identifier, let dot = identifier.firstIndex(of: ".") else { return }
        teamPrefix = String(identifier[...dot])
        bundle = String(identifier[identifier.index(after: dot)...])
    }

    func expanded(_ text: String) -> String {
        text.replacingOccurrences(of: "$(TeamIdentifierPrefix)", with: teamPrefix)
            .replacingOccurrences(of: "$(CFBundleIdentifier)", with: bundle)
    }
}
