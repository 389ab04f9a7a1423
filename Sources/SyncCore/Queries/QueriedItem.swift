/// An item as a query sees it: its values have the names of Apple's metadata attributes.
package struct QueriedItem: Sendable {
    package var id: ItemID
    /// Absolute, for the program that asks.
    package var path: [UInt8]
    package var kind: Kind
    package var size: UInt64
    package var changed: FileTime
    package var hasConflict: Bool
    package var isUploaded: Bool
    package var isUploading: Bool
    package var isDownloading: Bool
    /// Whether content is on the disk; nil if that is not known.
    package var isHere: Bool?

    package init(
        id: ItemID, path: [UInt8], kind: Kind, size: UInt64, changed: FileTime, hasConflict: Bool,
        isUploaded: Bool, isUploading: Bool, isDownloading: Bool, isHere: Bool?
    ) {
        self.id = id
        self.path = path
        self.kind = kind
        self.size = size
        self.changed = changed
        self.hasConflict = hasConflict
        self.isUploaded = isUploaded
        self.isUploading = isUploading
        self.isDownloading = isDownloading
        self.isHere = isHere
    }

    package static var nameKey: [UInt8] { Array("kMDItemFSName".utf8) }
    package static var displayNameKey: [UInt8] { Array("kMDItemDisplayName".utf8) }
    package static var sizeKey: [UInt8] { Array("kMDItemFSSize".utf8) }
    package static var changedKey: [UInt8] { Array("kMDItemFSContentChangeDate".utf8) }

    /// The name in its folder.
    package var name: [UInt8] {
        Array(path[(path.lastIndex(of: 0x2F).map { $0 + 1 } ?? 0)...])
    }

    /// The name without its extension; a dot at its beginning or end is part of the name.
    package static func displayName(of name: [UInt8]) -> [UInt8] {
        guard let dot = name.lastIndex(of: 0x2E), dot > 0, dot < name.count - 1 else { return name }
        return Array(name[..<dot])
    }
}

extension QueriedItem {
    /// The value of an attribute; nil if it has none.
    package func value(of attribute: [UInt8]) -> PredicateValue? {
        switch String(decoding: attribute, as: UTF8.self) {
        case "kMDItemFSName": .string(name)
        case "kMDItemDisplayName": .string(Self.displayName(of: name))
        case "kMDItemPath": .string(path)
        case "kMDItemFSSize": size.predicateSize
        case "kMDItemFSContentChangeDate": .date(changed.secondsSinceReferenceDate)
        case "kMDItemContentType": .text(UniformType.of(kind, named: name))
        case "kMDItemContentTypeTree":
            .array(UniformType.tree(of: UniformType.of(kind, named: name)).map { .text($0) })
        case "NSMetadataItemIsUbiquitousKey": .bool(true)
        case "NSMetadataUbiquitousItemHasUnresolvedConflictsKey": .bool(hasConflict)
        case "NSMetadataUbiquitousItemIsUploadedKey": .bool(isUploaded)
        case "NSMetadataUbiquitousItemIsUploadingKey": .bool(isUploading)
        case "NSMetadataUbiquitousItemIsDownloadingKey": .bool(isDownloading)
        case "NSMetadataUbiquitousItemPercentUploadedKey": .double(isUploaded ? 100 : 0)
        case "NSMetadataUbiquitousItemIdentifierKey": .text(id.text)
        default: contentValue(attribute)
        }
    }

    private func contentValue(_ attribute: [UInt8]) -> PredicateValue? {
        guard let isHere else { return nil }
        return switch String(decoding: attribute, as: UTF8.self) {
        case "NSMetadataUbiquitousItemIsDownloadedKey": .bool(isHere)
        case "NSMetadataUbiquitousItemPercentDownloadedKey": .double(isHere ? 100 : 0)
        case "NSMetadataUbiquitousItemDownloadingStatusKey": .text(downloadingStatus(isHere))
        default: nil
        }
    }

    private func downloadingStatus(_ isHere: Bool) -> String {
        let status = "NSMetadataUbiquitousItemDownloadingStatus"
        guard isHere else { return status + "NotDownloaded" }
        return status + (isDownloading ? "Downloaded" : "Current")
    }
}

extension Predicate {
    /// Whether the predicate is true of an item.
    package func evaluate(
        with item: QueriedItem, services: PredicateServices = PredicateServices()
    ) -> Bool {
        do throws(PredicateEvaluationError) {
            return try evaluation(of: item, services: services)
        } catch {
            return false
        }
    }

    /// Whether the predicate is true of an item, or why that cannot be said.
    package func evaluation(
        of item: QueriedItem, services: PredicateServices
    ) throws(PredicateEvaluationError) -> Bool {
        let context = PredicateContext(
            services: services,
            lookup: { object, key throws(PredicateEvaluationError) in
                object == .evaluated ? item.value(of: key) : nil
            })
        return try evaluation(of: .opaque(.evaluated), in: context)
    }
}
