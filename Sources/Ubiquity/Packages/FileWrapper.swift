public import Foundation

/// A file, a folder with what is in it, or a link, in memory: the content of a package document.
///
/// Follows Apple's documentation of FileWrapper. A wrapper that was made from a place on the disk
/// has read all of it. A wrapper is used by one thread at a time.
open class FileWrapper: NSObject, @unchecked Sendable {
    /// How a wrapper is read; the content is always read at once.
    public struct ReadingOptions: OptionSet, Sendable {
        /// The bits, as Apple numbers them.
        public let rawValue: UInt

        /// Makes options of their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Everything is read before the call returns.
        public static let immediate = ReadingOptions(rawValue: 1)
        /// The content is no view of the file.
        public static let withoutMapping = ReadingOptions(rawValue: 2)
    }

    /// How a wrapper is written.
    public struct WritingOptions: OptionSet, Sendable {
        /// The bits, as Apple numbers them.
        public let rawValue: UInt

        /// Makes options of their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The whole is written beside the place and put there in one step.
        public static let atomic = WritingOptions(rawValue: 1)
        /// The wrappers learn the names that they were written under.
        public static let withNameUpdating = WritingOptions(rawValue: 2)
    }

    private var content: Content

    private enum Content {
        case file(Data)
        case folder([String: FileWrapper])
        case link(URL)
    }

    /// The name that the wrapper shall have in a folder; another one is given if it is taken.
    open var preferredFilename: String?
    /// The name that it was read from or written to.
    open var filename: String?
    /// Attributes as `FileManager` has them; the permissions are written.
    open var fileAttributes: [String: Any] = [:]

    // MARK: Making wrappers

    /// Makes the wrapper of what is at a place.
    ///
    /// - Throws: A `CocoaError` if it is not there or cannot be read.
    public init(url: URL, options: ReadingOptions = []) throws {
        content = try Self.readContent(url)
        super.init()
        takeFacts(url)
    }

    /// Makes a folder of wrappers under the names that they shall have.
    public init(directoryWithFileWrappers childrenByPreferredName: [String: FileWrapper]) {
        content = .folder([:])
        super.init()
        for (name, child) in childrenByPreferredName.sorted(by: { $0.key < $1.key }) {
            if child.preferredFilename == nil { child.preferredFilename = name }
            add(child, named: name)
        }
    }

    /// Makes a file.
    public init(regularFileWithContents contents: Data) { content = .file(contents) }

    /// Makes a link.
    public init(symbolicLinkWithDestinationURL url: URL) { content = .link(url) }

    // MARK: What it is

    /// Whether it is a folder.
    open var isDirectory: Bool { fileWrappers != nil }
    /// Whether it is a file.
    open var isRegularFile: Bool { regularFileContents != nil }
    /// Whether it is a link.
    open var isSymbolicLink: Bool { symbolicLinkDestinationURL != nil }

    /// The content of a file; nil for anything else.
    open var regularFileContents: Data? {
        if case .file(let data) = content { data } else { nil }
    }

    /// Where a link leads; nil for anything else.
    open var symbolicLinkDestinationURL: URL? {
        if case .link(let url) = content { url } else { nil }
    }

    // MARK: Folders

    /// What is in a folder, by the names that they have there; nil for anything else.
    open var fileWrappers: [String: FileWrapper]? {
        if case .folder(let children) = content { children } else { nil }
    }

    /// Adds a wrapper to a folder and gives the name that it has there.
    ///
    /// - Precondition: This is a folder, and the wrapper has a preferred name.
    @discardableResult
    open func addFileWrapper(_ child: FileWrapper) -> String {
        guard let name = child.preferredFilename, !name.isEmpty else {
            preconditionFailure("a wrapper without a preferred name cannot be added")
        }
        return add(child, named: name)
    }

    /// Adds a file to a folder and gives the name that it has there.
    ///
    /// - Precondition: This is a folder, and the name is not empty.
    @discardableResult
    open func addRegularFile(
        withContents data: Data, preferredFilename fileName: String
    ) -> String {
        let child = FileWrapper(regularFileWithContents: data)
        child.preferredFilename = fileName
        return addFileWrapper(child)
    }

    /// Takes a wrapper out of a folder.
    ///
    /// - Precondition: This is a folder.
    open func removeFileWrapper(_ child: FileWrapper) {
        var children = requiredChildren
        if let key = keyForChildFileWrapper(child) { children[key] = nil }
        content = .folder(children)
    }

    /// The name that a wrapper has in a folder; nil if it is not in it.
    open func keyForChildFileWrapper(_ child: FileWrapper) -> String? {
        fileWrappers?.first { $0.value === child }?.key
    }

    private var requiredChildren: [String: FileWrapper] {
        guard let children = fileWrappers else {
            preconditionFailure("a wrapper that is no folder has nothing in it")
        }
        return children
    }

    @discardableResult
    private func add(_ child: FileWrapper, named name: String) -> String {
        var children = requiredChildren
        let free = freeName(name, children)
        children[free] = child
        content = .folder(children)
        return free
    }

    /// A number in front of the extension, so that the file keeps its type.
    private func freeName(_ name: String, _ children: [String: FileWrapper]) -> String {
        guard children[name] != nil else { return name }
        let text = name as NSString
        let base = text.deletingPathExtension
        let end = text.pathExtension.isEmpty ? "" : "." + text.pathExtension
        var number = 2
        while children["\(base) \(number)\(end)"] != nil { number += 1 }
        return "\(base) \(number)\(end)"
    }

    // MARK: Disk

    /// Becomes what is at a place.
    ///
    /// - Throws: A `CocoaError` if it is not there or cannot be read; the wrapper is as it was.
    open func read(from url: URL, options: ReadingOptions = []) throws {
        content = try Self.readContent(url)
        takeFacts(url)
    }

    /// Whether what is at a place has the names, contents and links of this wrapper.
    open func matchesContents(of url: URL) -> Bool {
        guard let other = try? FileWrapper(url: url) else { return false }
        return isSame(as: other)
    }

    /// Writes to a place where nothing is; with `.atomic` what is there is replaced.
    ///
    /// - Throws: A `CocoaError` if it cannot be written.
    open func write(
        to url: URL, options: WritingOptions = [], originalContentsURL: URL?
    ) throws {
        if options.contains(.atomic) {
            try writeAtomically(url)
        } else {
            try writeContent(url)
        }
        if options.contains(.withNameUpdating) { updateNames(url.lastPathComponent) }
    }

    private static func readContent(_ url: URL) throws -> Content {
        let stamp: FileStamp?
        do throws(FileFailure) {
            stamp = try FileSystem.look(url.pathBytes)
        } catch {
            throw error.cocoa(isWriting: false)
        }
        let files = FileManager.default
        switch stamp?.kind {
        case .file: return .file(try Data(contentsOf: url))
        case .link:
            let target = try files.destinationOfSymbolicLink(atPath: url.path)
            return .link(URL(fileURLWithPath: target, relativeTo: url.deletingLastPathComponent()))
        case .folder:
            let names = try files.contentsOfDirectory(atPath: url.path)
            let children = try names.map {
                ($0, try FileWrapper(url: url.appendingPathComponent($0)))
            }
            return .folder(Dictionary(children, uniquingKeysWith: { $1 }))
        case .other: throw CocoaError(.fileReadUnknown)
        case nil: throw CocoaError(.fileReadNoSuchFile)
        }
    }

    private func takeFacts(_ url: URL) {
        filename = url.lastPathComponent
        preferredFilename = preferredFilename ?? filename
        let found = try? FileManager.default.attributesOfItem(atPath: url.path)
        let pairs = (found ?? [:]).map { ($0.key.rawValue, $0.value) }
        fileAttributes = Dictionary(pairs, uniquingKeysWith: { $1 })
    }

    private func writeContent(_ url: URL) throws {
        switch content {
        case .file(let data): try data.write(to: url, options: .withoutOverwriting)
        case .link(let target):
            try FileManager.default.createSymbolicLink(
                atPath: url.path, withDestinationPath: target.relativePath)
            return
        case .folder(let children):
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: false)
            for (name, child) in children {
                try child.writeContent(url.appendingPathComponent(name))
            }
        }
        let key = FileAttributeKey.posixPermissions
        if let mode = fileAttributes[key.rawValue] {
            try FileManager.default.setAttributes([key: mode], ofItemAtPath: url.path)
        }
    }

    private func writeAtomically(_ url: URL) throws {
        let replacement = FileReplacement(
            url: url, known: try? PackageStamp.look(url.pathBytes), session: .shared)
        _ = try replacement.perform { try writeContent($0) }
    }

    private func updateNames(_ name: String) {
        filename = name
        for (name, child) in fileWrappers ?? [:] { child.updateNames(name) }
    }

    private func isSame(as other: FileWrapper) -> Bool {
        switch (content, other.content) {
        case (.file(let one), .file(let two)): one == two
        case (.link(let one), .link(let two)): one.relativePath == two.relativePath
        case (.folder(let one), .folder(let two)):
            one.count == two.count
                && one.allSatisfy { name, child in two[name].map(child.isSame) ?? false }
        default: false
        }
    }
}
