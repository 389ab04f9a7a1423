import Foundation

/// A file or folder that is read or written under coordination, by its place.
struct ClaimedFile: Hashable, Sendable {
    /// Without links above it, so that two ways to one file are one.
    var path: [UInt8]
    var isWriting: Bool

    init(path: [UInt8], isWriting: Bool) {
        self.path = path
        self.isWriting = isWriting
    }

    init(_ url: URL, isWriting: Bool, followsLink: Bool) {
        self.init(path: coordinatedPath(url, followsLink: followsLink), isWriting: isWriting)
    }

    /// Many may read; who writes a folder writes all that is in it.
    func conflicts(with other: ClaimedFile) -> Bool {
        guard isWriting || other.isWriting else { return false }
        return path.isAtOrBelow(other.path) || other.path.isAtOrBelow(path)
    }
}

/// The place of a file without the links above it, also of one that is not there.
func coordinatedPath(_ url: URL, followsLink: Bool = false) -> [UInt8] {
    let given = url.standardizedFileURL.pathBytes
    if followsLink, let target = FileSystem.resolved(given) { return target }
    guard let slash = given.lastIndex(of: UInt8(ascii: "/")) else { return given }
    guard let folder = FileSystem.resolved(given.folder) else { return given }
    let name = given[given.index(after: slash)...]
    return folder.count == 1 ? folder + name : folder + [UInt8(ascii: "/")] + name
}

extension [UInt8] {
    /// Whether the path is another one or lies below it.
    func isAtOrBelow(_ other: [UInt8]) -> Bool {
        starts(with: other) && (count == other.count || self[other.count] == UInt8(ascii: "/"))
    }
}
