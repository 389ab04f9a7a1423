import DeviceSocket
public import Foundation
import SyncWire

/// Why iCloud cannot be used, when `url(forUbiquityContainerIdentifier:)` gives nil.
///
/// ```swift
/// let files = FileManager.default
/// guard let container = files.url(forUbiquityContainerIdentifier: nil) else {
///     print(files.ubiquityUnavailability(forContainerIdentifier: nil)?.description ?? "")
///     return
/// }
/// ```
public struct UbiquityUnavailability: Error, Hashable, Sendable {
    /// What kind of reason it is.
    public let code: Code
    private let text: String

    /// Kinds of reasons; more may come in later versions.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// A word for programs.
        public let description: String

        /// The environment names no home folder for the device.
        public static let noHome = Code(description: "no home")
        /// No daemon runs on the device's home folder.
        public static let deviceNotRunning = Code(description: "device not running")
        /// The device has joined no account.
        public static let signedOut = Code(description: "signed out")
        /// The program's entitlements do not have what it asked for.
        public static let notEntitled = Code(description: "not entitled")
        /// The program's entitlements file cannot be understood.
        public static let entitlementsUnreadable = Code(description: "entitlements unreadable")
        /// The daemon does not answer as it should.
        public static let deviceFailed = Code(description: "device failed")
    }

    init(_ code: Code, _ text: String) {
        self.code = code
        self.text = text
    }
}

extension UbiquityUnavailability: CustomStringConvertible, LocalizedError {
    /// A sentence for people: what, why, and what to do.
    public var description: String { text }
    /// The same sentence.
    public var errorDescription: String? { text }
}

extension UbiquityUnavailability {
    static let noHome = UbiquityUnavailability(
        .noHome, "no home folder for the device: set UBIQUITY_HOME")

    static let signedOut = UbiquityUnavailability(
        .signedOut, "this device has joined no account: use `ubiquity join URL`")

    static func notEntitled(_ name: String) -> UbiquityUnavailability {
        UbiquityUnavailability(
            .notEntitled, "\(name) is not in the program's entitlements: add it to the file")
    }

    init(_ error: EntitlementsError) {
        self.init(.entitlementsUnreadable, "\(error.path): \(error.problem)")
    }

    init(_ error: DeviceClientError) {
        switch error {
        case .notRunning: self.init(.deviceNotRunning, "\(error)")
        case .refused(let failure) where failure.code == .signedOut:
            self.init(.signedOut, failure.text)
        default: self.init(.deviceFailed, "\(error)")
        }
    }
}
