/// A package's whole content in memory: its list, and the bytes of its files and links.
package struct PackageContent: Hashable, Sendable {
    package let list: PackageList
    /// One for each member; empty for a folder.
    package let contents: [[UInt8]]

    /// Nil if a member has not as many bytes as the list says.
    package init?(_ list: PackageList, contents: [[UInt8]]) {
        guard contents.count == list.members.count else { return nil }
        for (member, bytes) in zip(list.members, contents)
        where UInt64(bytes.count) != member.size {
            return nil
        }
        self.list = list
        self.contents = contents
    }

    /// Reads what ``bytes`` wrote; nil for anything else.
    package init?(bytes: [UInt8]) {
        guard let list = PackageList(front: bytes), list.contentSize == UInt64(bytes.count) else {
            return nil
        }
        var contents: [[UInt8]] = []
        contents.reserveCapacity(list.members.count)
        var start = list.count
        for member in list.members {
            let end = start + Int(member.size)
            contents.append(Array(bytes[start..<end]))
            start = end
        }
        self.list = list
        self.contents = contents
    }

    package var bytes: [UInt8] {
        var bytes = list.bytes
        for content in contents { bytes.append(contentsOf: content) }
        return bytes
    }

    /// The same members with the same bytes; modes and times may differ.
    package func isSame(as other: PackageContent) -> Bool {
        guard list.members.count == other.list.members.count else { return false }
        for index in list.members.indices {
            let (one, two) = (list.members[index], other.list.members[index])
            guard one.path == two.path, one.kind == two.kind,
                contents[index] == other.contents[index]
            else { return false }
        }
        return true
    }
}
