public import Foundation
import Synchronization

/// Apple's pointer to an error that a call may leave: `&error` and `nil` can be given.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// Reads and writes files while nobody else who coordinates is in the way.
///
/// Follows Apple's documentation of NSFileCoordinator. Many may read a file at the same time; who
/// writes it is alone, in this program and in all others on the device; a folder counts with all
/// that is in it. Presenters of the program are told before, so that they can save or let go. The
/// calls of one coordinator, and of those with one `purposeIdentifier`, are not in each other's
/// way, so that they can be nested.
///
/// ```swift
/// var error: NSError?
/// NSFileCoordinator().coordinate(readingItemAt: url, error: &error) { actual in
///     text = try? String(contentsOf: actual, encoding: .utf8)
/// }
/// if let error { print(error.localizedDescription) }
/// ```
///
/// Every call ends: who waits for a file for a minute is given `CocoaError.fileLocking`, and the
/// accessor is not called. A program that was killed holds nothing.
open class NSFileCoordinator: NSObject, @unchecked Sendable {
    /// How a file is read.
    public struct ReadingOptions: OptionSet, Sendable {
        /// The bits, as Apple numbers them.
        public let rawValue: UInt

        /// Makes options of their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Presenters need not save before.
        public static let withoutChanges = ReadingOptions(rawValue: 1)
        /// What a link leads to is read.
        public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
        /// The content need not be on this device.
        public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
        /// The accessor is given a copy that nobody changes, removed afterwards; files only.
        public static let forUploading = ReadingOptions(rawValue: 8)
    }

    /// How a file is written.
    public struct WritingOptions: OptionSet, Sendable {
        /// The bits, as Apple numbers them.
        public let rawValue: UInt

        /// Makes options of their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// It is deleted; presenters let go of it.
        public static let forDeleting = WritingOptions(rawValue: 1)
        /// It is moved; presenters save before.
        public static let forMoving = WritingOptions(rawValue: 2)
        /// It is changed on the base of what it holds; presenters save before.
        public static let forMerging = WritingOptions(rawValue: 4)
        /// Another file takes its place.
        public static let forReplacing = WritingOptions(rawValue: 8)
        /// Only attributes are written that say nothing of the content.
        public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)
    }

    private let state: Mutex<State>
    let presenters: PresenterList
    let session: DeviceSession

    private struct State: @unchecked Sendable {
        weak var presenter: (any NSFilePresenter)?
        var purpose = UUID().uuidString
        /// The longest that a call waits for others.
        var patience = Duration.seconds(60)
        /// Grows with each `cancel()`: it ends the calls that began before.
        var cancellations = 0

        init(_ presenter: (any NSFilePresenter)?) { self.presenter = presenter }
    }

    // MARK: Presenters

    /// From now on the presenter is told of accesses; the list does not keep it alive.
    open class func addFilePresenter(_ filePresenter: any NSFilePresenter) {
        PresenterList.shared.add(filePresenter)
    }

    /// The presenter is told of nothing more.
    open class func removeFilePresenter(_ filePresenter: any NSFilePresenter) {
        PresenterList.shared.remove(filePresenter)
    }

    /// The presenters of this program.
    open class var filePresenters: [any NSFilePresenter] { PresenterList.shared.all }

    // MARK: Making coordinators

    /// Makes a coordinator whose accesses are not told to a presenter, which is its user.
    public init(filePresenter filePresenterOrNil: (any NSFilePresenter)?) {
        state = Mutex(State(filePresenterOrNil))
        presenters = .shared
        session = .shared
    }

    init(filePresenter filePresenterOrNil: (any NSFilePresenter)?, session: DeviceSession) {
        state = Mutex(State(filePresenterOrNil))
        presenters = .shared
        self.session = session
    }

    /// Makes a coordinator that tells all presenters.
    public override convenience init() { self.init(filePresenter: nil) }

    /// Accesses of one purpose are not in each other's way, in whatever programs.
    open var purposeIdentifier: String {
        get { state.withLock { $0.purpose } }
        set { state.withLock { $0.purpose = newValue } }
    }

    var patience: Duration {
        get { state.withLock { $0.patience } }
        set { state.withLock { $0.patience = newValue } }
    }

    // MARK: Accesses

    /// Reads a file: waits until nobody writes it, asks presenters to save, and calls the accessor.
    ///
    /// A file that is in iCloud and not on this device is waited for.
    open func coordinate(
        readingItemAt url: URL, options: ReadingOptions = [], error outError: NSErrorPointer,
        byAccessor reader: (URL) -> Void
    ) {
        unsafe perform([.reading(url, options)], outError) { reader($0[0]) }
    }

    /// Writes a file: waits until nobody else reads or writes it, and calls the accessor.
    open func coordinate(
        writingItemAt url: URL, options: WritingOptions = [], error outError: NSErrorPointer,
        byAccessor writer: (URL) -> Void
    ) {
        unsafe perform([.writing(url, options)], outError) { writer($0[0]) }
    }

    /// Reads one file and writes another.
    open func coordinate(
        readingItemAt readingURL: URL, options readingOptions: ReadingOptions = [],
        writingItemAt writingURL: URL, options writingOptions: WritingOptions = [],
        error outError: NSErrorPointer, byAccessor readerWriter: (URL, URL) -> Void
    ) {
        let accesses = [
            FileAccess.reading(readingURL, readingOptions), .writing(writingURL, writingOptions),
        ]
        unsafe perform(accesses, outError) { readerWriter($0[0], $0[1]) }
    }

    /// Writes two files.
    open func coordinate(
        writingItemAt url1: URL, options options1: WritingOptions = [],
        writingItemAt url2: URL, options options2: WritingOptions = [],
        error outError: NSErrorPointer, byAccessor writer: (URL, URL) -> Void
    ) {
        let accesses = [FileAccess.writing(url1, options1), .writing(url2, options2)]
        unsafe perform(accesses, outError) { writer($0[0], $0[1]) }
    }

    /// Prepares accesses that are made one by one within the accessor, by this coordinator.
    ///
    /// The accessor calls what it is given when it has made them.
    open func prepare(
        forReadingItemsAt readingURLs: [URL], options readingOptions: ReadingOptions = [],
        writingItemsAt writingURLs: [URL], options writingOptions: WritingOptions = [],
        error outError: NSErrorPointer,
        byAccessor batchAccessor: (@escaping () -> Void) -> Void
    ) {
        let accesses =
            readingURLs.map { FileAccess.reading($0, readingOptions) }
            + writingURLs.map { .writing($0, writingOptions) }
        unsafe perform(accesses, outError) { _ in batchAccessor {} }
    }

    /// Calls the accessor on a queue when all of the files can be used; it returns at once.
    ///
    /// The accessor is given an error if that cannot be, and then must not use them.
    open func coordinate(
        with intents: [NSFileAccessIntent], queue: OperationQueue,
        byAccessor accessor: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let patience = makePatience()
        // A thread of its own: those that wait must not keep the others' queues from running.
        Thread.detachNewThread {
            let result = Result { try self.begin(intents.map(\.access), patience) }
            queue.addOperation {
                switch result {
                case .failure(let error): accessor(error)
                case .success(let held):
                    for (intent, url) in zip(intents, held.urls) { intent.become(url) }
                    accessor(nil)
                    held.end()
                }
            }
        }
    }

    private func perform(
        _ accesses: [FileAccess], _ outError: NSErrorPointer, _ accessor: ([URL]) -> Void
    ) {
        do {
            try hold(accesses, accessor)
        } catch {
            unsafe outError?.pointee = error as NSError
        }
    }

    func hold<Value>(
        _ accesses: [FileAccess], _ accessor: ([URL]) throws -> Value
    ) throws -> Value {
        let held = try begin(accesses, makePatience())
        defer { held.end() }
        return try accessor(held.urls)
    }

    private func begin(_ accesses: [FileAccess], _ patience: Patience) throws -> HeldFiles {
        let (purpose, own) = state.withLock { Unchecked(($0.purpose, $0.presenter)) }.value
        let wish = FileClaim.Wish(
            purpose: Array(purpose.utf8), files: accesses.map(\.claimed))
        return try HeldFiles(
            accesses, wish, presenters: presenters, except: own, session: session, patience)
    }

    private func makePatience() -> Patience {
        let (time, cancellations) = state.withLock { ($0.patience, $0.cancellations) }
        return Patience(deadline: .now + time) { [weak self] in
            self?.state.withLock { $0.cancellations } != cancellations
        }
    }

    /// Ends the calls that wait: they give `CocoaError.userCancelled`, 3072.
    open func cancel() { state.withLock { $0.cancellations += 1 } }

    // MARK: What the program tells

    /// Announces a move that is made within a coordinated access.
    open func item(at oldURL: URL, willMoveTo newURL: URL) {}

    /// Tells presenters of a move that was made within a coordinated access.
    open func item(at oldURL: URL, didMoveTo newURL: URL) {
        for concerned in concerned(with: oldURL) {
            concerned.tell { presenter in
                switch concerned.relation {
                case .item: presenter.presentedItemDidMove(to: newURL)
                case .subitem: presenter.presentedSubitem(at: oldURL, didMoveTo: newURL)
                case .container:
                    let old = coordinatedPath(oldURL)
                    guard let path = presenter.presentedItemURL.map({ coordinatedPath($0) }),
                        path.isAtOrBelow(old)
                    else { return }
                    let moved = coordinatedPath(newURL) + path[old.count...]
                    presenter.presentedItemDidMove(to: fileURL(moved, isFolder: false))
                }
            }
        }
    }

    /// Tells presenters of attributes that have changed.
    open func item(at url: URL, didChangeUbiquityAttributes attributes: Set<URLResourceKey>) {
        for concerned in concerned(with: url) where concerned.relation == .item {
            concerned.tell { presenter in
                let wanted = presenter.observedPresentedItemUbiquityAttributes
                let told = wanted.isEmpty ? attributes : attributes.intersection(wanted)
                if !told.isEmpty { presenter.presentedItemDidChangeUbiquityAttributes(told) }
            }
        }
    }

    private func concerned(with url: URL) -> [ConcernedPresenter] {
        let own = state.withLock { Unchecked($0.presenter) }.value
        return presenters.concerned(with: coordinatedPath(url), except: own)
    }
}
