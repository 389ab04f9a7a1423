// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension NSNotification.Name {
    /// A query has begun to gather; the object is the query.
    public static let NSMetadataQueryDidStartGathering = NSNotification.Name(
        "NSMetadataQueryDidStartGatheringNotification")
    /// A query has found its first results, and more may come before it has them all.
    ///
    /// The items are in `userInfo`, under ``NSMetadataQueryUpdateAddedItemsKey``.
    public static let NSMetadataQueryGatheringProgress = NSNotification.Name(
        "NSMetadataQueryGatheringProgressNotification")
    /// A query has its first results; the object is the query.
    public static let NSMetadataQueryDidFinishGathering = NSNotification.Name(
        "NSMetadataQueryDidFinishGatheringNotification")
    /// The results of a live query have changed; the object is the query.
    ///
    /// The items are in `userInfo`, under ``NSMetadataQueryUpdateAddedItemsKey``,
    /// ``NSMetadataQueryUpdateChangedItemsKey`` and ``NSMetadataQueryUpdateRemovedItemsKey``.
    public static let NSMetadataQueryDidUpdate = NSNotification.Name(
        "NSMetadataQueryDidUpdateNotification")
}
