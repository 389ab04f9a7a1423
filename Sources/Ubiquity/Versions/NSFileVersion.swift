public import Foundation
import SyncCore
import SyncWire
import Synchronization

/// A version of a file in iCloud: the current one, one that is in conflict with it, or an old one.
///
/// Follows Apple's documentation of NSFileVersion. When two devices edited a file without seeing
/// each other and the edits do not merge, one version is current and the others are in conflict
/// with it until the program has settled that:
///
/// ```swift
/// for version in NSFileVersion.unresolvedConflictVersionsOfItem(at: url) ?? [] {
///     if isBetter(version) { try version.replaceItem(at: url) }
///     version.isResolved = true
/// }
/// try NSFileVersion.removeOtherVersionsOfItem(at: url)
/// ```
///
/// All functions ask the device's daemon and wait for its answer. Versions that are not current
/// any more keep their content at the cloud for 30 days, whatever a program does.
open class NSFileVersion: NSObject, @unchecked Sendable {
    /// How a version is put into a file's place.
    public struct ReplacingOptions: OptionSet, Sendable {
        /// The bits, as Apple numbers them.
        public let rawValue: UInt

        /// Makes options of their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The version is in conflict no more afterwards.
        public static let byMoving = ReplacingOptions(rawValue: 1)
    }

    let item: VersionedItem
    let row: VersionRow
    private let state: Mutex<State>

    private struct State {
        var isResolved: Bool
    }

    init(_ item: VersionedItem, _ row: VersionRow) {
        self.item = item
        self.row = row
        state = Mutex(State(isResolved: !row.isConflict))
    }

    // MARK: Finding versions

    /// Gives the version that the file shows; nil if there is no such file in iCloud.
    open class func currentVersionOfItem(at url: URL) -> NSFileVersion? {
        versions(url)?.first { $0.row.isCurrent }
    }

    /// Gives all versions but the current one, the newest first; nil if there is no such file.
    open class func otherVersionsOfItem(at url: URL) -> [NSFileVersion]? {
        versions(url)?.filter { !$0.row.isCurrent }
    }

    /// Gives the versions that wait for a decision; nil if there is no such file.
    open class func unresolvedConflictVersionsOfItem(at url: URL) -> [NSFileVersion]? {
        versions(url)?.filter { $0.isConflict && !$0.isResolved }
    }

    /// Gives the versions whose content is not on this device.
    ///
    /// - Throws: `CocoaError.fileNoSuchFile` if there is no such file in iCloud.
    open class func nonlocalVersionsOfItem(at url: URL) async throws -> [NSFileVersion] {
        guard let all = versions(url) else { throw CocoaError(.fileNoSuchFile) }
        return all.filter { !$0.hasLocalContents }
    }

    /// Gives the versions whose content is not on this device, to a handler on some queue.
    open class func getNonlocalVersionsOfItem(
        at url: URL,
        completionHandler: @escaping @Sendable ([NSFileVersion]?, (any Error)?) -> Void
    ) {
        DispatchQueue.global().async {
            guard let all = versions(url) else {
                return completionHandler(nil, CocoaError(.fileNoSuchFile))
            }
            completionHandler(all.filter { !$0.hasLocalContents }, nil)
        }
    }

    /// Gives the version with an identifier of before; nil if there is none any more.
    open class func version(
        itemAt url: URL, forPersistentIdentifier persistentIdentifier: Any
    ) -> NSFileVersion? {
        guard let text = persistentIdentifier as? String else { return nil }
        return versions(url)?.first { $0.row.version.text == text }
    }

    /// Settles all conflicts of a file for what it shows now.
    ///
    /// - Throws: `CocoaError.fileNoSuchFile` if there is no such file in iCloud, or another
    ///   `CocoaError` if the daemon could not do it.
    open class func removeOtherVersionsOfItem(at url: URL) throws {
        guard let others = otherVersionsOfItem(at: url) else {
            throw CocoaError(.fileNoSuchFile)
        }
        for version in others { try version.remove() }
    }

    private class func versions(_ url: URL) -> [NSFileVersion]? {
        guard let item = VersionedItem(url: url, session: .shared) else { return nil }
        return item.versions()
    }

    // MARK: Facts

    /// Where the version's content can be read: the file itself, or a copy in the device's home.
    ///
    /// The copy is made when this is asked for the first time; there is no file at the place if the
    /// content cannot be had.
    open var url: URL { row.isCurrent ? item.url : item.copy(of: row) }

    /// The file's name.
    open var localizedName: String? { item.url.lastPathComponent }

    /// The name of the device that saved it, as given when it joined.
    open var localizedNameOfSavingComputer: String? {
        row.deviceName.isEmpty ? nil : row.deviceName
    }

    /// When it was saved, by the clock of the device that did.
    open var modificationDate: Date? { row.modified.date }

    /// Names this version for ever; it can be archived.
    open var persistentIdentifier: any NSCoding { NSString(string: row.version.text) }

    /// Whether it was in conflict with the current version when it was asked for.
    open var isConflict: Bool { row.isConflict }

    /// Who saved it, by name; nil: an account has one person.
    open var originatorNameComponents: PersonNameComponents? { nil }

    /// Whether the system may remove it by itself: old versions, after 30 days.
    open var isDiscardable: Bool { !row.isCurrent && !row.isConflict }

    /// Whether there is a picture of it: never on Linux.
    open var hasThumbnail: Bool { false }

    /// Whether the content is on this device.
    open var hasLocalContents: Bool { row.isHere }

    /// Whether the conflict is settled; setting it to true settles it, and it stays so.
    ///
    /// What the file shows is kept when the last of its conflicts is settled.
    open var isResolved: Bool {
        get { state.withLock { $0.isResolved } || item.isMarked(row.version) }
        set { if newValue { try? resolve() } }
    }

    // MARK: Settling

    /// Puts the version's content into a file's place, as an edit of what the file shows.
    ///
    /// - Throws: A `CocoaError` if the content cannot be had or the file cannot be written.
    @discardableResult
    open func replaceItem(at url: URL, options: ReplacingOptions = []) throws -> URL {
        try item.replace(url, with: row)
        if options.contains(.byMoving) { try remove() }
        return url
    }

    /// Takes the version out of the conflict; the cloud keeps it among the old ones.
    ///
    /// - Throws: A `CocoaError` if the daemon could not do it.
    open func remove() throws {
        if !isResolved { try resolve() }
        item.removeCopy(of: row)
    }

    private func resolve() throws {
        try item.settle(row.version)
        state.withLock { $0.isResolved = true }
    }

    // MARK: Equality

    /// Two objects of one version are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFileVersion else { return false }
        return other.row.version == row.version && other.item.path == item.path
    }

    /// Equal for equal versions.
    open override var hash: Int { row.version.hashValue }
}
