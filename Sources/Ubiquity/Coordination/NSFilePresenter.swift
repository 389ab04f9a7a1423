public import Foundation

/// An object that shows a file or folder, and is told before others read or write it.
///
/// Follows Apple's documentation of NSFilePresenter. All but the first two are optional. Messages
/// come on the presenter's own queue, one after the other if the queue takes one at a time. Those
/// before a coordinated access come from coordinators of the same program; changes that other
/// programs and devices made are told when the device has seen them.
///
/// ```swift
/// final class Watcher: NSObject, NSFilePresenter, @unchecked Sendable {
///     let presentedItemURL: URL?
///     let presentedItemOperationQueue = OperationQueue()
///     init(_ folder: URL) {
///         presentedItemURL = folder
///         super.init()
///         NSFileCoordinator.addFilePresenter(self)
///     }
///     func presentedSubitemDidChange(at url: URL) { print(url.lastPathComponent) }
/// }
/// ```
@preconcurrency
public protocol NSFilePresenter: NSObjectProtocol {
    /// What is presented; nil presents nothing.
    var presentedItemURL: URL? { get }
    /// Where the messages are delivered.
    var presentedItemOperationQueue: OperationQueue { get }
    /// The item that this one belongs to, if it is a second file of it.
    var primaryPresentedItemURL: URL? { get }

    /// Somebody wants to read: call the reader, with what to do when the reading is over.
    func relinquishPresentedItem(
        toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void)
    /// Somebody wants to write: call the writer, with what to do when the writing is over.
    func relinquishPresentedItem(
        toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void)
    /// Somebody wants to read the newest: save what is not saved, then call the handler.
    func savePresentedItemChanges(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Somebody wants to delete the item, or it is deleted: let go of it, then call the handler.
    func accommodatePresentedItemDeletion(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// The item's content is to leave this device: let go of it, then call the handler.
    func accommodatePresentedItemEviction(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Something in the folder is deleted: let go of it, then call the handler.
    func accommodatePresentedSubitemDeletion(
        at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// As the function with a handler, which calls this unless it is implemented.
    func savePresentedItemChanges() async throws
    /// As the function with a handler, which calls this unless it is implemented.
    func accommodatePresentedItemDeletion() async throws
    /// As the function with a handler, which calls this unless it is implemented.
    func accommodatePresentedItemEviction() async throws
    /// As the function with a handler, which calls this unless it is implemented.
    func accommodatePresentedSubitemDeletion(at url: URL) async throws

    /// The item has another place.
    func presentedItemDidMove(to newURL: URL)
    /// The item's content or attributes have changed.
    func presentedItemDidChange()
    /// What iCloud says of the item has changed.
    func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>)
    /// The attributes whose changes are wanted.
    var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> { get }
    /// A version is in conflict with the item.
    func presentedItemDidGain(_ version: NSFileVersion)
    /// A version of the item is gone.
    func presentedItemDidLose(_ version: NSFileVersion)
    /// A conflict of the item is settled.
    func presentedItemDidResolveConflict(_ version: NSFileVersion)
    /// Something is new in the folder.
    func presentedSubitemDidAppear(at url: URL)
    /// Something in the folder has another place.
    func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL)
    /// Something in the folder has changed.
    func presentedSubitemDidChange(at url: URL)
    /// A version is in conflict with something in the folder.
    func presentedSubitem(at url: URL, didGain version: NSFileVersion)
    /// A version of something in the folder is gone.
    func presentedSubitem(at url: URL, didLose version: NSFileVersion)
    /// A conflict of something in the folder is settled.
    func presentedSubitem(at url: URL, didResolve version: NSFileVersion)
}

// What a presenter does that does not implement it: it lets others proceed.
extension NSFilePresenter {
    /// Belongs to no other item.
    public var primaryPresentedItemURL: URL? { nil }

    /// Lets the reader go first.
    public func relinquishPresentedItem(
        toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
    ) { reader(nil) }

    /// Lets the writer go first.
    public func relinquishPresentedItem(
        toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
    ) { writer(nil) }

    /// Calls the asynchronous form.
    public func savePresentedItemChanges(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let presenter = Unchecked(self)
        Task {
            await complete(completionHandler) {
                try await presenter.value.savePresentedItemChanges()
            }
        }
    }

    /// Calls the asynchronous form.
    public func accommodatePresentedItemDeletion(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let presenter = Unchecked(self)
        Task {
            await complete(completionHandler) {
                try await presenter.value.accommodatePresentedItemDeletion()
            }
        }
    }

    /// Calls the asynchronous form.
    public func accommodatePresentedItemEviction(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let presenter = Unchecked(self)
        Task {
            await complete(completionHandler) {
                try await presenter.value.accommodatePresentedItemEviction()
            }
        }
    }

    /// Calls the asynchronous form.
    public func accommodatePresentedSubitemDeletion(
        at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let presenter = Unchecked(self)
        Task {
            await complete(completionHandler) {
                try await presenter.value.accommodatePresentedSubitemDeletion(at: url)
            }
        }
    }

    /// Lets others proceed.
    public func savePresentedItemChanges() async throws {}
    /// Lets others proceed.
    public func accommodatePresentedItemDeletion() async throws {}
    /// Lets others proceed.
    public func accommodatePresentedItemEviction() async throws {}
    /// Lets others proceed.
    public func accommodatePresentedSubitemDeletion(at url: URL) async throws {}

    /// Does nothing.
    public func presentedItemDidMove(to newURL: URL) {}
    /// Does nothing.
    public func presentedItemDidChange() {}
    /// Does nothing.
    public func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>) {}
    /// Wants the changes of all of them.
    public var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> { [] }
    /// Does nothing.
    public func presentedItemDidGain(_ version: NSFileVersion) {}
    /// Does nothing.
    public func presentedItemDidLose(_ version: NSFileVersion) {}
    /// Does nothing.
    public func presentedItemDidResolveConflict(_ version: NSFileVersion) {}
    /// Does nothing.
    public func presentedSubitemDidAppear(at url: URL) {}
    /// Does nothing.
    public func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) {}
    /// Does nothing.
    public func presentedSubitemDidChange(at url: URL) {}
    /// Does nothing.
    public func presentedSubitem(at url: URL, didGain version: NSFileVersion) {}
    /// Does nothing.
    public func presentedSubitem(at url: URL, didLose version: NSFileVersion) {}
    /// Does nothing.
    public func presentedSubitem(at url: URL, didResolve version: NSFileVersion) {}
}

private func complete(
    _ handler: @Sendable ((any Error)?) -> Void, _ body: () async throws -> Void
) async {
    do {
        try await body()
        handler(nil)
    } catch {
        handler(error)
    }
}
