/// A file, folder or link within a package.
package struct PackageMember: Hashable, Sendable {
    /// What it is; pipes, sockets and devices are no members.
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        case file = 1
        case folder = 2
        case link = 3
    }

    /// Names with slashes between them, from the package's own folder.
    package let path: [UInt8]
    package let kind: Kind
    /// The nine permission bits; zero for a link.
    package var mode: UInt16
    /// Zero for a folder: it says when something in it was last made or removed on one device.
    package var modified: FileTime
    /// Of a file its bytes, of a link its target's; zero for a folder.
    package let size: UInt64

    package init(path: [UInt8], kind: Kind, mode: UInt16, modified: FileTime, size: UInt64) {
        self.path = path
        self.kind = kind
        self.mode = kind == .link ? 0 : mode
        self.modified = kind == .folder ? FileTime(seconds: 0, nanoseconds: 0) : modified
        self.size = kind == .folder ? 0 : size
    }
}

extension PackageMember {
    /// The longest path in bytes, as Linux takes it.
    package static var longestPath: Int { 4_095 }

    /// The names that its path consists of; nil if one of them is none.
    package var names: [Name]? { PackageMember.names(of: path) }

    /// Nil for an absolute path, an empty one, and one with a name that no entry can have.
    static func names(of path: [UInt8]) -> [Name]? {
        guard !path.isEmpty, path.count <= longestPath else { return nil }
        var names: [Name] = []
        var start = 0
        for index in 0...path.count where index == path.count || path[index] == 0x2F {
            guard let name = Name(Array(path[start..<index])) else { return nil }
            names.append(name)
            start = index + 1
        }
        return names
    }

    /// The path of the folder that it is in; nil for what lies in the package itself.
    var folder: [UInt8]? {
        guard let slash = path.lastIndex(of: 0x2F) else { return nil }
        return Array(path[..<slash])
    }
}

/// Whether one path comes before another, by their bytes.
package func isPath(_ one: [UInt8], before other: [UInt8]) -> Bool {
    var index = 0
    while index < one.count, index < other.count {
        if one[index] != other[index] { return one[index] < other[index] }
        index += 1
    }
    return one.count < other.count
}
