public import Foundation
import Synchronization

/// A document in a file that other devices and programs may change too.
///
/// Follows Apple's documentation of UIDocument. A subclass turns its model into `Data` and back,
/// in ``contents(forType:)`` and ``load(fromContents:ofType:)``; the class reads and writes the
/// file away from the main actor, saves by itself soon after ``updateChangeCount(_:)``, and loads
/// what comes from other devices. A save is safe: a reader, a crash or a full disk leaves the old
/// content or the new one, and nothing that another program wrote is overwritten unseen.
///
/// ```swift
/// final class Note: UIDocument {
///     var text = ""
///     override func load(fromContents contents: Any, ofType typeName: String?) throws {
///         text = String(decoding: contents as? Data ?? Data(), as: UTF8.self)
///     }
///     override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }
/// }
/// ```
///
/// The program's functions, its completion handlers and its observers are called in operations of
/// the main queue. Without unsaved changes a document takes over what comes from elsewhere. With
/// unsaved changes it is in conflict: its next save is kept beside the other version, or merged
/// with it, and nothing is overwritten.
@MainActor @preconcurrency
open class UIDocument: NSObject {
    /// What an edit did, for the count of changes.
    public enum ChangeKind: Int, Sendable {
        /// The program changed the document.
        case done
        /// A change was undone.
        case undone
        /// An undone change was made again.
        case redone
        /// All changes are saved or given up.
        case cleared
    }

    /// Whether a save makes a new file.
    public enum SaveOperation: Int, Sendable {
        /// A file that is new.
        case forCreating
        /// A file that the document was read from or saved to.
        case forOverwriting
    }

    /// What there is to know of a document; none of it is the normal state.
    public struct State: OptionSet, Sendable {
        /// The bits, as Apple numbers them.
        public let rawValue: UInt

        /// Makes a state of its bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Open, saved or soon to be saved.
        public static var normal: State { [] }
        /// Not opened, closed, or could not be opened.
        public static let closed = State(rawValue: 1)
        /// Another version waits to be merged or chosen.
        public static let inConflict = State(rawValue: 2)
        /// The last save failed; it is tried again.
        public static let savingError = State(rawValue: 4)
        /// The document cannot be edited now.
        public static let editingDisabled = State(rawValue: 8)
        /// A transfer of the document is under way.
        public static let progressAvailable = State(rawValue: 16)
    }

    /// Posted on the main queue when the state has changed; the object is the document.
    nonisolated public static let stateChangedNotification = NSNotification.Name(
        "UIDocumentStateChangedNotification")

    /// Posted when a document that could not be written was moved to where it can; never on Linux.
    nonisolated public static let didMoveToWritableLocationNotification = NSNotification.Name(
        "UIDocumentDidMoveToWritableLocationNotification")

    /// Key of the place from before such a move.
    nonisolated public static let didMoveToWritableLocationOldURLKey =
        "UIDocumentDidMoveToWritableLocationOldURLKey"

    /// Key of a document's place in an activity's `userInfo`.
    nonisolated public static let userActivityURLKey = "NSUserActivityDocumentURL"

    let session: DeviceSession
    let transfer = Progress(totalUnitCount: 100)
    let presenterQueue = OperationQueue()
    /// Reading and writing, one after the other.
    let fileQueue = DispatchQueue(label: "document")
    let file: Mutex<DocumentFile>
    var changes = DocumentChanges()
    var autosave = DocumentAutosave()
    var presence = DocumentPresence()
    private var manager: UndoManager?
    private var activity: NSUserActivity?
    /// What `open` has read, for `read(from:)`.
    var readAhead: (url: URL, result: Result<DocumentReading, any Error>)?
    /// What an error that is being handled came from.
    var failedTask: DocumentTask?

    var state = State.closed {
        didSet { if state != oldValue { postStateChange() } }
    }

    /// Makes a document of a file, which need not be there; nothing is read yet.
    public init(fileURL url: URL) {
        session = .shared
        file = Mutex(DocumentFile(url: url))
        super.init()
        presenterQueue.maxConcurrentOperationCount = 1
    }

    init(fileURL url: URL, session: DeviceSession) {
        self.session = session
        file = Mutex(DocumentFile(url: url))
        super.init()
        presenterQueue.maxConcurrentOperationCount = 1
    }

    // MARK: Facts

    /// Where the document is; another device or program may move it while it is open.
    open var fileURL: URL { file.withLock { $0.url } }

    /// The name as people see it: that of the file without its extension.
    open var localizedName: String { fileURL.deletingPathExtension().lastPathComponent }

    /// The uniform type identifier that belongs to the file's extension.
    open var fileType: String? { uniformType(forExtension: fileURL.pathExtension) }

    /// When the content was last changed, as of the last reading or saving.
    open var fileModificationDate: Date? {
        get { file.withLock { $0.modificationDate } }
        set { file.withLock { $0.modificationDate = newValue } }
    }

    /// Whether the document is open, in conflict, or could not be saved.
    open var documentState: State { state }

    // MARK: The program's part

    /// Takes over a content that was read: `Data` of a file, or a `FileWrapper` of a package.
    ///
    /// Called when the document is opened, and again when its file was changed from elsewhere. The
    /// base class takes nothing over.
    open func load(fromContents contents: Any, ofType typeName: String?) throws {}

    /// Gives the content to be saved, as `Data`, or as a `FileWrapper` for a package.
    ///
    /// A wrapper is not to be changed until the save is done.
    ///
    /// A subclass must override it: the base class throws `CocoaError.featureUnsupported`.
    open func contents(forType typeName: String) throws -> Any {
        throw CocoaError(.featureUnsupported)
    }

    /// Tells the program that the document must not be edited; the base class does nothing.
    open func disableEditing() {}

    /// Tells the program that the document may be edited again; the base class does nothing.
    open func enableEditing() {}

    // MARK: Opening and closing

    /// Reads the file; the handler hears whether it was loaded.
    ///
    /// A file that is not there gives false: programs create it then.
    @preconcurrency
    open func open(completionHandler: ((Bool) -> Void)? = nil) {
        beginOpening(MainActorBox(completionHandler))
    }

    /// Reads the file, and gives whether it was loaded.
    @discardableResult
    open func open() async -> Bool {
        await withCheckedContinuation { continuation in
            open(completionHandler: { continuation.resume(returning: $0) })
        }
    }

    /// Saves what is unsaved and closes; the handler hears whether that was done.
    ///
    /// A document that cannot be saved stays open.
    @preconcurrency
    open func close(completionHandler: ((Bool) -> Void)? = nil) {
        let completion = MainActorBox(completionHandler)
        autosave(completionHandler: { self.finishClosing(wasSaved: $0, completion) })
    }

    /// Saves what is unsaved and closes, and gives whether that was done.
    @discardableResult
    open func close() async -> Bool {
        await withCheckedContinuation { continuation in
            close(completionHandler: { continuation.resume(returning: $0) })
        }
    }

    /// Gives up unsaved changes and loads the file again.
    @preconcurrency
    open func revert(toContentsOf url: URL, completionHandler: ((Bool) -> Void)? = nil) {
        let completion = MainActorBox(completionHandler)
        MainQueue.now { self.reload(url, completion) }
    }

    /// Gives up unsaved changes, loads the file again, and gives whether it was loaded.
    @discardableResult
    open func revert(toContentsOf url: URL) async -> Bool {
        await withCheckedContinuation { continuation in
            revert(toContentsOf: url, completionHandler: { continuation.resume(returning: $0) })
        }
    }

    /// Reads the file and calls `load(fromContents:ofType:)`.
    ///
    /// The class has read the file before it calls this to open a document.
    open func read(from url: URL) throws { try readAndLoad(url) }

    // MARK: Saving

    /// Saves to a file; the handler hears whether the content is durable there.
    ///
    /// Afterwards the document is open. The content is asked for before this returns if it is
    /// called in an operation of the main queue, and else in the next one.
    @preconcurrency
    open func save(
        to url: URL, for saveOperation: SaveOperation, completionHandler: ((Bool) -> Void)? = nil
    ) {
        let completion = MainActorBox(completionHandler)
        MainQueue.now { self.beginSaving(url, saveOperation, completion) }
    }

    /// Saves to a file, and gives whether the content is durable there.
    @discardableResult
    open func save(to url: URL, for saveOperation: SaveOperation) async -> Bool {
        await withCheckedContinuation { continuation in
            save(
                to: url, for: saveOperation,
                completionHandler: { continuation.resume(returning: $0) })
        }
    }

    /// Saves what is unsaved; the handler hears true also if there is nothing to save.
    @preconcurrency
    open func autosave(completionHandler: ((Bool) -> Void)? = nil) {
        guard hasUnsavedChanges else {
            let completion = MainActorBox(completionHandler)
            return MainQueue.now { completion.open?(true) }
        }
        save(to: fileURL, for: .forOverwriting, completionHandler: completionHandler)
    }

    /// Saves what is unsaved, and gives whether it is durable.
    @discardableResult
    open func autosave() async -> Bool {
        await withCheckedContinuation { continuation in
            autosave(completionHandler: { continuation.resume(returning: $0) })
        }
    }

    /// The type that `contents(forType:)` is asked for.
    open var savingFileType: String? { fileType }

    /// Gives the extension of a file of a type: that of the document's own file.
    open func fileNameExtension(
        forType typeName: String?, saveOperation: SaveOperation
    ) -> String { fileURL.pathExtension }

    /// Gives attributes that the saved file shall have, as `FileManager` takes them; none here.
    open func fileAttributesToWrite(
        to url: URL, for saveOperation: SaveOperation
    ) throws -> [AnyHashable: Any] { [:] }

    /// Puts a content into a file so that its old content or the new one is there at any time.
    ///
    /// Called on the document's own queue. The content is written beside the file by
    /// `writeContents(_:to:for:originalContentsURL:)`, made durable, and swapped into its place.
    ///
    /// - Throws: `CocoaError.fileWriteFileExists` if another program has changed the file and the
    ///   device has no version of that yet; the file is as it was.
    nonisolated open func writeContents(
        _ contents: Any, andAttributes additionalFileAttributes: [AnyHashable: Any]? = nil,
        safelyTo url: URL, for saveOperation: SaveOperation
    ) throws {
        try replaceFile(url, contents, additionalFileAttributes, saveOperation)
    }

    /// Writes a content to a file that nobody else knows of; called on the document's own queue.
    nonisolated open func writeContents(
        _ contents: Any, to url: URL, for saveOperation: SaveOperation, originalContentsURL: URL?
    ) throws {
        try writeNewFile(url, contents)
    }

    /// Does something with the file on the document's own queue, after what was begun before.
    open func performAsynchronousFileAccess(_ block: @escaping @Sendable () -> Void) {
        fileQueue.async(execute: block)
    }

    // MARK: Changes

    /// Remembers how to take back edits; what is registered with it counts as a change.
    ///
    /// Made when it is asked for the first time.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var undoManager: UndoManager! {
        get {
            if let manager { return manager }
            let made = UndoManager()
            follow(made)
            return made
        }
        set { follow(newValue) }
    }

    private func follow(_ new: UndoManager?) {
        manager?.didChange = { _ in }
        manager?.didGoOn = {}
        manager = new
        new?.didChange = { [weak self] change in self?.updateChangeCount(change) }
        new?.didGoOn = { [weak self] in
            self?.changes.goOn()
            self?.scheduleAutosave()
        }
    }

    /// Whether there are changes that were not saved.
    open var hasUnsavedChanges: Bool { changes.isUnsaved }

    /// Counts a change; the document saves itself a moment later.
    open func updateChangeCount(_ change: ChangeKind) {
        changes.count(change)
        scheduleAutosave()
    }

    /// Stands for the changes until now, for `updateChangeCount(withToken:for:)`.
    open func changeCountToken(for saveOperation: SaveOperation) -> Any { changes.token }

    /// Counts the changes that the token stands for as saved; later ones stay unsaved.
    open func updateChangeCount(withToken changeCountToken: Any, for saveOperation: SaveOperation) {
        guard let token = changeCountToken as? DocumentChanges.Token else { return }
        changes.save(token)
    }

    // MARK: Errors

    /// Is told of an error of opening, saving or reverting.
    ///
    /// The base class finishes at once, without a recovery. An override that does not call it calls
    /// `finishedHandlingError(_:recovered:)`.
    open func handleError(_ error: any Error, userInteractionPermitted: Bool) {
        finishedHandlingError(error, recovered: false)
    }

    /// Ends the handling of an error: what was not recovered shows in the state.
    open func finishedHandlingError(_ error: any Error, recovered: Bool) {
        endFailure(recovered: recovered)
    }

    /// Tells that the person can be asked nothing more about an error; ends its handling.
    open func userInteractionNoLongerPermitted(forError error: any Error) {
        endFailure(recovered: false)
    }

    // MARK: Activities

    /// What the person does with the document; it is given the document's place when it is set.
    open var userActivity: NSUserActivity? {
        get { activity }
        set {
            activity = newValue
            if let newValue { updateUserActivityState(newValue) }
        }
    }

    /// Writes the document's place into an activity.
    open func updateUserActivityState(_ userActivity: NSUserActivity) {
        userActivity.userInfo = (userActivity.userInfo ?? [:]).merging(
            [UIDocument.userActivityURLKey: fileURL]) { $1 }
    }

    /// Takes up an activity of before; the base class does nothing.
    open func restoreUserActivityState(_ userActivity: NSUserActivity) {}

    // MARK: Being presented

    /// How far the transfer of the document is.
    nonisolated open var progress: Progress { transfer }

    /// The document's place, for coordinators.
    nonisolated open var presentedItemURL: URL? { file.withLock { $0.url } }

    /// Where coordinators call the document.
    nonisolated open var presentedItemOperationQueue: OperationQueue { presenterQueue }

    /// Lets a reader go first; it waits for the accesses that were begun by itself.
    nonisolated open func relinquishPresentedItem(
        toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
    ) {
        reader(nil)
    }

    /// Lets a writer go first, and afterwards takes over what it has written.
    nonisolated open func relinquishPresentedItem(
        toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
    ) {
        writer { MainQueue.async { self.lookAtFile() } }
    }

    /// Saves what is unsaved.
    nonisolated open func savePresentedItemChanges(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        MainQueue.async {
            self.autosave { isSaved in
                completionHandler(isSaved ? nil : CocoaError(.fileWriteUnknown))
            }
        }
    }

    /// Closes the document, since its file is deleted.
    nonisolated open func accommodatePresentedItemDeletion(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        MainQueue.async { self.forwardDeletion(completionHandler) }
    }

    /// Refuses: an open document stays on this device.
    nonisolated open func accommodatePresentedItemEviction(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completionHandler(CocoaError(.fileLocking))
    }

    /// Follows the file to its new place.
    nonisolated open func presentedItemDidMove(to newURL: URL) {
        file.withLock { $0.url = newURL }
    }

    /// Takes over what others have written.
    nonisolated open func presentedItemDidChange() {
        MainQueue.async { self.lookAtFile() }
    }

    /// Called when another version is in conflict with the document; the state shows it.
    nonisolated open func presentedItemDidGain(_ version: NSFileVersion) {}

    /// Called when a version of the document is gone.
    nonisolated open func presentedItemDidLose(_ version: NSFileVersion) {}

    /// Called when a conflict of the document is settled.
    nonisolated open func presentedItemDidResolveConflict(_ version: NSFileVersion) {}
}
