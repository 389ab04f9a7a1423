/// What is in a package: the front of its content, which its members' bytes follow in this order.
///
/// `Docs/Protocol.md` has the bytes. A list is valid, however it came to be: what cannot be a
/// folder on a disk cannot be one of these.
package struct PackageList: Hashable, Sendable {
    /// Each path once, in the order of their bytes, so that a folder comes before what is in it.
    package let members: [PackageMember]

    /// The most members of a package.
    package static var mostMembers: Int { 65_536 }
    /// The most bytes of a list.
    package static var mostBytes: Int { 16 << 20 }
    /// So many bytes say how long a list is.
    package static var frontBytes: Int { 13 }

    private static var layout: UInt8 { 1 }
    private static var memberBytes: Int { 25 }

    /// Nil if these cannot be the members of one folder.
    package init?(_ members: [PackageMember]) {
        guard members.count <= PackageList.mostMembers, PackageList.areValid(members) else {
            return nil
        }
        self.members = members
        guard count <= PackageList.mostBytes, contentSize != nil else { return nil }
    }

    private static func areValid(_ members: [PackageMember]) -> Bool {
        var folders: Set<[UInt8]> = []
        var last: [UInt8]?
        for member in members {
            if let last, !isPath(last, before: member.path) { return false }
            last = member.path
            guard member.names != nil, member.mode <= 0o777,
                member.modified.nanoseconds < 1_000_000_000
            else { return false }
            if let folder = member.folder, !folders.contains(folder) { return false }
            if member.kind == .folder { folders.insert(member.path) }
        }
        return true
    }
}

// MARK: - Sizes

extension PackageList {
    /// The list's own bytes.
    package var count: Int {
        members.reduce(PackageList.frontBytes) { $0 + PackageList.memberBytes + $1.path.count }
    }

    /// The bytes of the whole content; nil beyond what a number holds.
    package var contentSize: UInt64? {
        var size = UInt64(count)
        for member in members {
            let (sum, isOver) = size.addingReportingOverflow(member.size)
            guard !isOver, sum <= UInt64(Int64.max) else { return nil }
            size = sum
        }
        return size
    }

    /// The lengths of the parts that are cut into chunks each by itself: the list, then each
    /// member's bytes.
    ///
    /// So a member that did not change has the same chunks, whatever else did.
    package var sections: [UInt64] {
        [UInt64(count)] + members.filter { $0.size > 0 }.map { $0.size }
    }

    /// The newest time of a file or link in it; a package has no other.
    package var newest: FileTime {
        var newest: FileTime?
        for member in members where member.kind != .folder {
            if let time = newest, !time.isBefore(member.modified) { continue }
            newest = member.modified
        }
        return newest ?? FileTime(seconds: 0, nanoseconds: 0)
    }
}

extension FileTime {
    func isBefore(_ other: FileTime) -> Bool {
        (seconds, nanoseconds) < (other.seconds, other.nanoseconds)
    }
}

// MARK: - Bytes

extension PackageList {
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        bytes.append(PackageList.layout)
        bytes.append(bigEndian: UInt64(count))
        bytes.append(UInt64(members.count), in: 4)
        for member in members {
            bytes.append(member.kind.rawValue)
            bytes.append(UInt64(member.mode), in: 2)
            bytes.append(bigEndian: UInt64(bitPattern: member.modified.seconds))
            bytes.append(UInt64(member.modified.nanoseconds), in: 4)
            bytes.append(bigEndian: member.size)
            bytes.append(UInt64(member.path.count), in: 2)
            bytes.append(contentsOf: member.path)
        }
        return bytes
    }

    /// How long the list is that begins a content, from its first ``frontBytes`` or more; nil if it
    /// begins with none.
    package static func count(of front: [UInt8]) -> Int? {
        guard front.count >= frontBytes, front[0] == layout else { return nil }
        let count = number(front[1..<9])
        guard count >= UInt64(frontBytes), count <= UInt64(mostBytes) else { return nil }
        return Int(count)
    }

    /// Reads a list, with whatever follows it; nil if the bytes are none.
    package init?(front bytes: [UInt8]) {
        guard let end = PackageList.count(of: bytes), end <= bytes.count else { return nil }
        let memberCount = number(bytes[9..<13])
        let most = UInt64(end - PackageList.frontBytes) / UInt64(PackageList.memberBytes)
        guard memberCount <= most else { return nil }
        var members: [PackageMember] = []
        members.reserveCapacity(Int(memberCount))
        var next = PackageList.frontBytes
        for _ in 0..<memberCount {
            guard let (member, after) = PackageList.member(bytes, at: next, before: end) else {
                return nil
            }
            members.append(member)
            next = after
        }
        guard next == end else { return nil }
        self.init(members)
    }

    private static func member(
        _ bytes: [UInt8], at start: Int, before end: Int
    ) -> (PackageMember, Int)? {
        let path = start + memberBytes
        guard path <= end, let kind = PackageMember.Kind(rawValue: bytes[start]) else { return nil }
        let after = path + Int(number(bytes[(start + 23)..<(start + 25)]))
        guard after <= end else { return nil }
        let member = PackageMember(
            path: Array(bytes[path..<after]), kind: kind,
            mode: UInt16(number(bytes[(start + 1)..<(start + 3)])),
            modified: FileTime(
                seconds: Int64(bitPattern: number(bytes[(start + 3)..<(start + 11)])),
                nanoseconds: UInt32(number(bytes[(start + 11)..<(start + 15)]))),
            size: number(bytes[(start + 15)..<(start + 23)]))
        // What a kind does not have would be written otherwise than it was read.
        var again: [UInt8] = []
        again.append(UInt64(member.mode), in: 2)
        again.append(bigEndian: UInt64(bitPattern: member.modified.seconds))
        again.append(UInt64(member.modified.nanoseconds), in: 4)
        again.append(bigEndian: member.size)
        guard again[...] == bytes[(start + 1)..<(start + 23)] else { return nil }
        return (member, after)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ value: UInt64, in count: Int) {
        for index in 0..<count {
            append(UInt8(truncatingIfNeeded: value >> UInt64((count - 1 - index) * 8)))
        }
    }
}

private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
}
