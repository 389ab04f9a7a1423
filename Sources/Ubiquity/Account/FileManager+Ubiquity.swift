public import Foundation
import SyncCore

// Apple's documentation of FileManager, "Accessing iCloud".

extension FileManager {
    /// Gives the folder of an iCloud container, and sets the container up at the first call.
    ///
    /// What a person shall see goes into the folder `Documents` in it; everything else in it is the
    /// program's own. The call may wait for the device's daemon.
    ///
    /// - Parameter containerIdentifier: One of the program's entitlements; nil stands for the first
    ///   of them. A program without an entitlements file has `iCloud.org.ubiquity.notes` alone.
    /// - Returns: Nil if iCloud cannot be used; then
    ///   ``Foundation/FileManager/ubiquityUnavailability(forContainerIdentifier:)`` says why.
    public func url(forUbiquityContainerIdentifier containerIdentifier: String?) -> URL? {
        try? DeviceSession.shared.containerFolder(containerIdentifier)
    }

    /// Says why there is no folder for an iCloud container; nil if there is one.
    ///
    /// Apple's API has no such question.
    public func ubiquityUnavailability(
        forContainerIdentifier containerIdentifier: String?
    ) -> UbiquityUnavailability? {
        do {
            _ = try DeviceSession.shared.containerFolder(containerIdentifier)
            return nil
        } catch {
            return error
        }
    }

    /// Stands for the account that the device has joined; nil if it has joined none.
    ///
    /// Tokens of the same account are equal (`isEqual`), also after they were archived. The account
    /// is known while the daemon runs; `NSUbiquityIdentityDidChange` tells of another one.
    public var ubiquityIdentityToken: (any NSCoding & NSCopying & NSObjectProtocol)? {
        DeviceSession.shared.account.map { NSData(data: Data($0.bytes)) }
    }

    /// Whether a file or folder lies in an iCloud container, so that it is or will be in iCloud.
    ///
    /// A container's own folder and its `Documents` are no items. The file need not be there.
    public func isUbiquitousItem(at url: URL) -> Bool {
        guard let path = DeviceSession.shared.path(of: url) else { return false }
        let names = path.split(separator: UInt8(ascii: "/"))
        return names.count > 2
            || (names.count == 2 && !names[1].elementsEqual("Documents".utf8))
    }
}
