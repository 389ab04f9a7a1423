import Foundation
import SyncCore
import SyncWire

/// What is known of an item, under the names of Apple's attributes.
struct ItemFacts: Sendable {
    var row: ItemRow
    var url: URL

    init?(_ row: ItemRow, session: DeviceSession) {
        let isFolder = row.kind == .folder || row.kind == .package
        guard let url = session.url(ofItem: row.path, isFolder: isFolder) else { return nil }
        self.row = row
        self.url = url
    }

    var name: [UInt8] {
        Array(row.path[(row.path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...])
    }

    private var nameText: String { String(decoding: name, as: UTF8.self) }

    static let attributes = [
        NSMetadataItemFSNameKey, NSMetadataItemDisplayNameKey, NSMetadataItemURLKey,
        NSMetadataItemPathKey, NSMetadataItemFSSizeKey, NSMetadataItemFSCreationDateKey,
        NSMetadataItemFSContentChangeDateKey, NSMetadataItemContentTypeKey,
        NSMetadataItemContentTypeTreeKey, NSMetadataItemIsUbiquitousKey,
        NSMetadataUbiquitousItemHasUnresolvedConflictsKey,
        NSMetadataUbiquitousItemIsDownloadedKey, NSMetadataUbiquitousItemDownloadingStatusKey,
        NSMetadataUbiquitousItemIsDownloadingKey, NSMetadataUbiquitousItemIsUploadedKey,
        NSMetadataUbiquitousItemIsUploadingKey, NSMetadataUbiquitousItemPercentDownloadedKey,
        NSMetadataUbiquitousItemPercentUploadedKey,
        NSMetadataUbiquitousItemURLInLocalContainerKey, NSMetadataUbiquitousItemIdentifierKey,
        NSMetadataUbiquitousItemDownloadRequestedKey,
        NSMetadataUbiquitousItemContainerDisplayNameKey,
        NSMetadataUbiquitousItemIsExternalDocumentKey, NSMetadataUbiquitousItemIsSharedKey,
    ]

    func value(_ attribute: String) -> Any? {
        switch attribute {
        case NSMetadataItemFSNameKey: nameText
        case NSMetadataItemDisplayNameKey:
            String(decoding: QueriedItem.displayName(of: name), as: UTF8.self)
        case NSMetadataItemURLKey, NSMetadataUbiquitousItemURLInLocalContainerKey: url
        case NSMetadataItemPathKey: url.path
        case NSMetadataItemFSSizeKey: Int(clamping: row.size)
        case NSMetadataItemFSCreationDateKey: creationDate
        case NSMetadataItemFSContentChangeDateKey: row.modified.date
        case NSMetadataItemContentTypeKey: contentType
        case NSMetadataItemContentTypeTreeKey: UniformType.tree(of: contentType)
        case NSMetadataItemIsUbiquitousKey: true
        default: cloudValue(attribute)
        }
    }

    private func cloudValue(_ attribute: String) -> Any? {
        switch attribute {
        case NSMetadataUbiquitousItemIdentifierKey: row.item.text
        case NSMetadataUbiquitousItemHasUnresolvedConflictsKey: row.hasConflicts
        case NSMetadataUbiquitousItemIsDownloadedKey: isHere
        case NSMetadataUbiquitousItemDownloadingStatusKey: downloadingStatus
        case NSMetadataUbiquitousItemIsDownloadingKey: row.state == .downloading
        case NSMetadataUbiquitousItemIsUploadedKey: isUploaded
        case NSMetadataUbiquitousItemIsUploadingKey: row.state == .uploading
        case NSMetadataUbiquitousItemDownloadRequestedKey: row.state == .downloading
        case NSMetadataUbiquitousItemContainerDisplayNameKey: containerName
        // Containers are not shared between accounts, and hold no documents of other places.
        case NSMetadataUbiquitousItemIsExternalDocumentKey: false
        case NSMetadataUbiquitousItemIsSharedKey: false
        case NSMetadataUbiquitousItemPercentDownloadedKey: isHere ? 100.0 : 0.0
        case NSMetadataUbiquitousItemPercentUploadedKey: isUploaded ? 100.0 : 0.0
        default: nil
        }
    }

    private var contentType: String { UniformType.of(row.kind, named: name) }

    /// The last part of the container's identifier.
    private var containerName: String {
        let container = row.path.prefix { $0 != UInt8(ascii: "/") }
        let name = container.split(separator: UInt8(ascii: ".")).last ?? container
        return String(decoding: name, as: UTF8.self)
    }

    private var isUploaded: Bool { row.version != nil && row.state != .uploading }

    private var isHere: Bool {
        switch row.state {
        case .current, .uploading: true
        case .placeholder: false
        case .downloading, .stuck: FileManager.default.fileExists(atPath: url.path)
        }
    }

    private var downloadingStatus: String {
        guard isHere else { return NSMetadataUbiquitousItemDownloadingStatusNotDownloaded }
        return row.state == .downloading
            ? NSMetadataUbiquitousItemDownloadingStatusDownloaded
            : NSMetadataUbiquitousItemDownloadingStatusCurrent
    }

    private var creationDate: Date? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        return attributes?[.creationDate] as? Date
    }
}

extension FileTime {
    var date: Date {
        Date(timeIntervalSinceReferenceDate: secondsSinceReferenceDate)
    }
}
