import Foundation
import SyncWire

/// Where a query looks: containers, and in each some paths and not others.
struct QueryScope: Sendable {
    /// Paths as the daemon has them, each with a slash at its end.
    private var included: [[UInt8]] = []
    private var excluded: [[UInt8]] = []
    private(set) var containers: [String] = []
    /// The paths of the only items; nil for all.
    private var items: Set<[UInt8]>?

    /// Scopes are Apple's constants, URLs and paths of folders; none of them means everywhere.
    init(_ scopes: [Any], items: [Any]?, session: DeviceSession) {
        self.items = items.map { Set($0.compactMap { Self.path(of: $0, session) }) }
        let own = (try? session.programEntitlements().containers) ?? []
        if scopes.isEmpty { add(own) }
        for scope in scopes {
            switch scope {
            case let name as String where name == NSMetadataQueryUbiquitousDocumentsScope:
                add(own, below: "Documents/")
            case let name as String where name == NSMetadataQueryUbiquitousDataScope:
                addData(own)
            case let name as String
            where name == NSMetadataQueryAccessibleUbiquitousExternalDocumentsScope:
                continue
            case let path as String: add(URL(fileURLWithPath: path), session)
            case let url as URL: add(url, session)
            default: continue
            }
        }
    }

    private static func path(of item: Any, _ session: DeviceSession) -> [UInt8]? {
        switch item {
        case let item as NSMetadataItem: item.current.row.path
        case let url as URL: session.path(of: url)
        default: nil
        }
    }

    private mutating func add(_ containers: [String], below folder: String = "") {
        for container in containers {
            add(container: container)
            included.append(Array("\(container)/\(folder)".utf8))
        }
    }

    /// A documents scope beside it takes in what this leaves out.
    private mutating func addData(_ containers: [String]) {
        add(containers)
        excluded += containers.map { Array("\($0)/Documents/".utf8) }
    }

    private mutating func add(_ folder: URL, _ session: DeviceSession) {
        guard let path = session.path(of: folder) else { return }
        let container = path.prefix { $0 != UInt8(ascii: "/") }
        add(container: String(decoding: container, as: UTF8.self))
        included.append(path + [UInt8(ascii: "/")])
    }

    private mutating func add(container: String) {
        if !containers.contains(container) { containers.append(container) }
    }

    /// Whether an item lies in it; a scope's own folder does not, nor a container's `Documents`.
    func contains(_ path: [UInt8]) -> Bool {
        guard !isDocuments(path), items?.contains(path) != false else { return false }
        let matching = included.filter { path.starts(with: $0) }
        return matching.contains { folder in
            !excluded.contains { $0.count > folder.count && path.starts(with: $0) }
        }
    }

    private func isDocuments(_ path: [UInt8]) -> Bool {
        let names = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return names.count == 2 && names[1].elementsEqual("Documents".utf8)
    }
}
