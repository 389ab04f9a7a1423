// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Apple's documentation of NSMetadataItem, "File System Metadata Attribute Keys" and "iCloud
// Metadata Attribute Keys".

/// The name of the file, a `String`.
public let NSMetadataItemFSNameKey = "kMDItemFSName"
/// The name of the file as people see it, without its extension, a `String`.
public let NSMetadataItemDisplayNameKey = "kMDItemDisplayName"
/// The place of the file, a `URL`; for a file that is not downloaded, where it will be.
public let NSMetadataItemURLKey = "kMDItemURL"
/// The path of the file, a `String`.
public let NSMetadataItemPathKey = "kMDItemPath"
/// The size of the content in bytes, an `Int`.
public let NSMetadataItemFSSizeKey = "kMDItemFSSize"
/// When the file was made on this device, a `Date`; absent for a file that is not downloaded.
public let NSMetadataItemFSCreationDateKey = "kMDItemFSCreationDate"
/// When the content was last changed, a `Date`.
public let NSMetadataItemFSContentChangeDateKey = "kMDItemFSContentChangeDate"
/// The uniform type identifier, a `String`; `public.data` for a file that is not common.
public let NSMetadataItemContentTypeKey = "kMDItemContentType"
/// The type identifier and those that it conforms to, an array of `String`.
public let NSMetadataItemContentTypeTreeKey = "kMDItemContentTypeTree"
/// Whether the item is in iCloud, a `Bool`.
public let NSMetadataItemIsUbiquitousKey = "NSMetadataItemIsUbiquitousKey"
/// Whether other versions than the one that shows wait for a decision, a `Bool`.
public let NSMetadataUbiquitousItemHasUnresolvedConflictsKey =
    "NSMetadataUbiquitousItemHasUnresolvedConflictsKey"
/// Whether the content is on this device, a `Bool`; Apple prefers the downloading status.
public let NSMetadataUbiquitousItemIsDownloadedKey = "NSMetadataUbiquitousItemIsDownloadedKey"
/// How much of the item is on this device, a `String`: one of the three status values.
public let NSMetadataUbiquitousItemDownloadingStatusKey =
    "NSMetadataUbiquitousItemDownloadingStatusKey"
/// Status: nothing of the content is on this device.
public let NSMetadataUbiquitousItemDownloadingStatusNotDownloaded =
    "NSMetadataUbiquitousItemDownloadingStatusNotDownloaded"
/// Status: content is on this device, and a newer one is on its way.
public let NSMetadataUbiquitousItemDownloadingStatusDownloaded =
    "NSMetadataUbiquitousItemDownloadingStatusDownloaded"
/// Status: the newest content that is known is on this device.
public let NSMetadataUbiquitousItemDownloadingStatusCurrent =
    "NSMetadataUbiquitousItemDownloadingStatusCurrent"
/// Whether content is on its way to this device, a `Bool`.
public let NSMetadataUbiquitousItemIsDownloadingKey = "NSMetadataUbiquitousItemIsDownloadingKey"
/// Whether the cloud has everything of the item, a `Bool`.
public let NSMetadataUbiquitousItemIsUploadedKey = "NSMetadataUbiquitousItemIsUploadedKey"
/// Whether the item is on its way to the cloud, a `Bool`.
public let NSMetadataUbiquitousItemIsUploadingKey = "NSMetadataUbiquitousItemIsUploadingKey"
/// How much of the content is here, a `Double`: 0 or 100.
public let NSMetadataUbiquitousItemPercentDownloadedKey =
    "NSMetadataUbiquitousItemPercentDownloadedKey"
/// How much of the item is at the cloud, a `Double`: 0 or 100.
public let NSMetadataUbiquitousItemPercentUploadedKey =
    "NSMetadataUbiquitousItemPercentUploadedKey"
/// The place of the item in the container on this device, a `URL`.
public let NSMetadataUbiquitousItemURLInLocalContainerKey =
    "NSMetadataUbiquitousItemURLInLocalContainerKey"

/// Whether the content was asked for and is not here yet, a `Bool`.
public let NSMetadataUbiquitousItemDownloadRequestedKey =
    "NSMetadataUbiquitousItemDownloadRequestedKey"
/// Why the content does not come, an `NSError`; never there on Linux: `ubiquity why` tells it.
public let NSMetadataUbiquitousItemDownloadingErrorKey =
    "NSMetadataUbiquitousItemDownloadingErrorKey"
/// Why the item does not get to the cloud, an `NSError`; never there on Linux: `ubiquity why`
/// tells it.
public let NSMetadataUbiquitousItemUploadingErrorKey =
    "NSMetadataUbiquitousItemUploadingErrorKey"
/// The name of the item's container for people, a `String`: the last part of its identifier.
public let NSMetadataUbiquitousItemContainerDisplayNameKey =
    "NSMetadataUbiquitousItemContainerDisplayNameKey"
/// Whether the item lies outside of the program's containers, a `Bool`: never on Linux.
public let NSMetadataUbiquitousItemIsExternalDocumentKey =
    "NSMetadataUbiquitousItemIsExternalDocumentKey"
/// Whether others share the item, a `Bool`: never on Linux.
public let NSMetadataUbiquitousItemIsSharedKey = "NSMetadataUbiquitousItemIsSharedKey"
/// The role of this person in a shared item; absent, since none is shared.
public let NSMetadataUbiquitousSharedItemCurrentUserRoleKey =
    "NSMetadataUbiquitousSharedItemCurrentUserRoleKey"
/// What this person may do with a shared item; absent, since none is shared.
public let NSMetadataUbiquitousSharedItemCurrentUserPermissionsKey =
    "NSMetadataUbiquitousSharedItemCurrentUserPermissionsKey"
/// The name of a shared item's owner; absent, since none is shared.
public let NSMetadataUbiquitousSharedItemOwnerNameComponentsKey =
    "NSMetadataUbiquitousSharedItemOwnerNameComponentsKey"
/// The name of a shared item's last editor; absent, since none is shared.
public let NSMetadataUbiquitousSharedItemMostRecentEditorNameComponentsKey =
    "NSMetadataUbiquitousSharedItemMostRecentEditorNameComponentsKey"
/// Role: the item is this person's.
public let NSMetadataUbiquitousSharedItemRoleOwner = "NSMetadataUbiquitousSharedItemRoleOwner"
/// Role: the item is somebody else's.
public let NSMetadataUbiquitousSharedItemRoleParticipant =
    "NSMetadataUbiquitousSharedItemRoleParticipant"
/// Permission: to read.
public let NSMetadataUbiquitousSharedItemPermissionsReadOnly =
    "NSMetadataUbiquitousSharedItemPermissionsReadOnly"
/// Permission: to read and write.
public let NSMetadataUbiquitousSharedItemPermissionsReadWrite =
    "NSMetadataUbiquitousSharedItemPermissionsReadWrite"

/// What stands for the item on all devices, whatever its name is, a `String`; Apple has no such
/// key.
public let NSMetadataUbiquitousItemIdentifierKey = "NSMetadataUbiquitousItemIdentifierKey"

/// Scope: the folder `Documents` of the program's containers.
public let NSMetadataQueryUbiquitousDocumentsScope = "NSMetadataQueryUbiquitousDocumentsScope"
/// Scope: the program's containers without the folder `Documents`.
public let NSMetadataQueryUbiquitousDataScope = "NSMetadataQueryUbiquitousDataScope"

/// Scope: documents of other programs that this one may use; there are none on Linux.
public let NSMetadataQueryAccessibleUbiquitousExternalDocumentsScope =
    "NSMetadataQueryAccessibleUbiquitousExternalDocumentsScope"
/// How well a result fits what was looked for; absent: a predicate is true or not.
public let NSMetadataQueryResultContentRelevanceAttribute = "kMDQueryResultContentRelevance"

/// Key of an update's items that are new, an array of items.
public let NSMetadataQueryUpdateAddedItemsKey = "kMDQueryUpdateAddedItems"
/// Key of an update's items that have changed, an array of items.
public let NSMetadataQueryUpdateChangedItemsKey = "kMDQueryUpdateChangedItems"
/// Key of an update's items that are gone, an array of items.
public let NSMetadataQueryUpdateRemovedItemsKey = "kMDQueryUpdateRemovedItems"
