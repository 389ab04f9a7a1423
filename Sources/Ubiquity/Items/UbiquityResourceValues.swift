import DeviceSocket
public import Foundation
import SyncWire

// Apple's documentation of URLResourceValues, "iCloud". Foundation's own properties of these names
// are never filled on Linux.

/// How much of an item is on this device.
public struct URLUbiquitousItemDownloadingStatus: RawRepresentable, Hashable, Sendable {
    /// The name, as Apple has it.
    public let rawValue: String

    /// Makes a status of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing of the content is on this device.
    public static let notDownloaded = Self(
        rawValue: "NSURLUbiquitousItemDownloadingStatusNotDownloaded")
    /// Content is on this device, and a newer one is on its way.
    public static let downloaded = Self(
        rawValue: "NSURLUbiquitousItemDownloadingStatusDownloaded")
    /// The newest content that is known is on this device.
    public static let current = Self(rawValue: "NSURLUbiquitousItemDownloadingStatusCurrent")
}

/// A person's role in a shared item.
public struct URLUbiquitousSharedItemRole: RawRepresentable, Hashable, Sendable {
    /// The name, as Apple has it.
    public let rawValue: String

    /// Makes a role of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The item is this person's.
    public static let owner = Self(rawValue: "NSURLUbiquitousSharedItemRoleOwner")
    /// The item is somebody else's.
    public static let participant = Self(rawValue: "NSURLUbiquitousSharedItemRoleParticipant")
}

/// What a person may do with a shared item.
public struct URLUbiquitousSharedItemPermissions: RawRepresentable, Hashable, Sendable {
    /// The name, as Apple has it.
    public let rawValue: String

    /// Makes permissions of their name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// To read.
    public static let readOnly = Self(rawValue: "NSURLUbiquitousSharedItemPermissionsReadOnly")
    /// To read and write.
    public static let readWrite = Self(rawValue: "NSURLUbiquitousSharedItemPermissionsReadWrite")
}

extension URLResourceKey {
    /// Whether others share the item.
    public static let ubiquitousItemIsSharedKey = URLResourceKey(
        rawValue: "NSURLUbiquitousItemIsSharedKey")
    /// The person's role in a shared item.
    public static let ubiquitousSharedItemCurrentUserRoleKey = URLResourceKey(
        rawValue: "NSURLUbiquitousSharedItemCurrentUserRoleKey")
    /// What the person may do with a shared item.
    public static let ubiquitousSharedItemCurrentUserPermissionsKey = URLResourceKey(
        rawValue: "NSURLUbiquitousSharedItemCurrentUserPermissionsKey")
    /// The owner of a shared item.
    public static let ubiquitousSharedItemOwnerNameComponentsKey = URLResourceKey(
        rawValue: "NSURLUbiquitousSharedItemOwnerNameComponentsKey")
    /// The last editor of a shared item.
    public static let ubiquitousSharedItemMostRecentEditorNameComponentsKey = URLResourceKey(
        rawValue: "NSURLUbiquitousSharedItemMostRecentEditorNameComponentsKey")
}

/// Foundation's values of a file and those of iCloud, as they were when they were asked for.
@dynamicMemberLookup
public struct UbiquityResourceValues {
    /// Foundation's values.
    public let base: URLResourceValues
    private let facts: ItemFacts?

    init(base: URLResourceValues, facts: ItemFacts?) {
        self.base = base
        self.facts = facts
    }

    /// Foundation's values, by their own names.
    public subscript<Value>(dynamicMember keyPath: KeyPath<URLResourceValues, Value>) -> Value {
        base[keyPath: keyPath]
    }

    /// Whether the item is in iCloud.
    public var isUbiquitousItem: Bool? { facts != nil }

    /// How much of the item is on this device; nil if it is not in iCloud.
    public var ubiquitousItemDownloadingStatus: URLUbiquitousItemDownloadingStatus? {
        switch value(NSMetadataUbiquitousItemDownloadingStatusKey) as String? {
        case NSMetadataUbiquitousItemDownloadingStatusCurrent: .current
        case NSMetadataUbiquitousItemDownloadingStatusDownloaded: .downloaded
        case NSMetadataUbiquitousItemDownloadingStatusNotDownloaded: .notDownloaded
        default: nil
        }
    }

    /// Whether other versions wait for a decision; nil if the item is not in iCloud.
    public var ubiquitousItemHasUnresolvedConflicts: Bool? {
        value(NSMetadataUbiquitousItemHasUnresolvedConflictsKey)
    }

    /// Whether content is on its way to this device; nil if the item is not in iCloud.
    public var ubiquitousItemIsDownloading: Bool? {
        value(NSMetadataUbiquitousItemIsDownloadingKey)
    }

    /// Whether the cloud has everything of the item; nil if it is not in iCloud.
    public var ubiquitousItemIsUploaded: Bool? { value(NSMetadataUbiquitousItemIsUploadedKey) }

    /// Whether the item is on its way to the cloud; nil if it is not in iCloud.
    public var ubiquitousItemIsUploading: Bool? { value(NSMetadataUbiquitousItemIsUploadingKey) }

    /// Whether the content was asked for and is not here; nil if the item is not in iCloud.
    public var ubiquitousItemDownloadRequested: Bool? {
        value(NSMetadataUbiquitousItemDownloadRequestedKey)
    }

    /// Why the content does not come; nil on Linux, where `ubiquity why` tells it.
    public var ubiquitousItemDownloadingError: NSError? {
        value(NSMetadataUbiquitousItemDownloadingErrorKey)
    }

    /// Why the item does not get to the cloud; nil on Linux, where `ubiquity why` tells it.
    public var ubiquitousItemUploadingError: NSError? {
        value(NSMetadataUbiquitousItemUploadingErrorKey)
    }

    /// The container's name for people; nil if the item is not in iCloud.
    public var ubiquitousItemContainerDisplayName: String? {
        value(NSMetadataUbiquitousItemContainerDisplayNameKey)
    }

    /// Whether others share the item: false on Linux; nil if it is not in iCloud.
    public var ubiquitousItemIsShared: Bool? { value(NSMetadataUbiquitousItemIsSharedKey) }

    /// The person's role in a shared item; nil, since none is shared.
    public var ubiquitousSharedItemCurrentUserRole: URLUbiquitousSharedItemRole? { nil }

    /// What the person may do with a shared item; nil, since none is shared.
    public var ubiquitousSharedItemCurrentUserPermissions: URLUbiquitousSharedItemPermissions? {
        nil
    }

    /// The owner of a shared item; nil, since none is shared.
    public var ubiquitousSharedItemOwnerNameComponents: PersonNameComponents? { nil }

    /// The last editor of a shared item; nil, since none is shared.
    public var ubiquitousSharedItemMostRecentEditorNameComponents: PersonNameComponents? { nil }

    private func value<Value>(_ attribute: String) -> Value? {
        facts?.value(attribute) as? Value
    }
}

extension URL {
    /// Gives values of a file, those of iCloud among them, as the daemon has them now.
    ///
    /// An array literal comes here; a `Set` goes to Foundation's function, which knows nothing of
    /// iCloud.
    ///
    /// - Throws: Foundation's error if the file's own values cannot be had.
    public func resourceValues(forKeys keys: [URLResourceKey]) throws -> UbiquityResourceValues {
        UbiquityResourceValues(
            base: try resourceValues(forKeys: Set(keys)), facts: facts(.shared))
    }

    /// Gives values of a file, also of one whose content is not on this device yet.
    ///
    /// - Throws: `CocoaError.fileReadNoSuchFile` if nothing is known of the file.
    public func promisedItemResourceValues(
        forKeys keys: Set<URLResourceKey>
    ) throws -> UbiquityResourceValues {
        let facts = facts(.shared)
        let base = try? resourceValues(forKeys: keys)
        guard base != nil || facts != nil else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path])
        }
        return UbiquityResourceValues(base: base ?? URLResourceValues(), facts: facts)
    }

    /// Whether the file is there, or in iCloud and on its way.
    public func checkPromisedItemIsReachable() throws -> Bool {
        if (try? FileSystem.look(pathBytes)).flatMap(\.self) != nil { return true }
        guard facts(.shared) != nil else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path])
        }
        return true
    }

    func facts(_ session: DeviceSession) -> ItemFacts? {
        guard let path = session.path(of: self) else { return nil }
        let rows = try? session.ask { client throws(DeviceClientError) in
            try client.items(path: path, .itself)
        }
        return rows?.first.flatMap { ItemFacts($0, session: session) }
    }
}
