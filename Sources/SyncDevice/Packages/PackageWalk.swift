import Glibc
import SyncCore
import SyncStore

/// All that is in a package's folder at one moment, without its contents.
struct PackageWalk {
    struct Entry {
        let path: [UInt8]
        let kind: PackageMember.Kind
        let stamp: FileStamp
    }

    /// In the order of their paths' bytes.
    let entries: [Entry]
    /// Paths of what stays on this device: programs' temporary files, pipes, sockets and devices.
    let leftAlone: [[UInt8]]
    private let folder: FileStamp

    /// Goes through all folders, and through no link; each is handed over before it is listed.
    ///
    /// Throws `ENOTDIR` if no folder stands there, `E2BIG` for more than a package may hold.
    init(
        _ spot: Spot, entering: (Descriptor) throws(DiskError) -> Void = { _ in }
    ) throws(DiskError) {
        let top = try FileSystemCalls.openFolder(spot)
        folder = try FileSystemCalls.look(top).stamp
        var entries: [Entry] = []
        var leftAlone: [[UInt8]] = []
        var open: [(folder: Descriptor, path: [UInt8])] = [(top, [])]
        while let (folder, path) = open.popLast() {
            try entering(folder)
            for name in try FileSystemCalls.names(in: folder) {
                let spot = Spot(folder, name)
                // What is gone again is told by its own event.
                guard let found = try FileSystemCalls.lookIfThere(spot) else { continue }
                let member = path.isEmpty ? name.bytes : path + [0x2F] + name.bytes
                guard !IgnoredNames.contains(name), let kind = found.kind.member else {
                    leftAlone.append(member)
                    continue
                }
                guard entries.count < PackageList.mostMembers,
                    member.count <= PackageMember.longestPath
                else { throw DiskError(code: E2BIG, call: "getdents64") }
                entries.append(Entry(path: member, kind: kind, stamp: found.stamp))
                if kind == .folder { open.append((try FileSystemCalls.openFolder(spot), member)) }
            }
        }
        self.entries = entries.sorted { isPath($0.path, before: $1.path) }
        self.leftAlone = leftAlone
    }

    /// The list of members; nil if there is one that cannot be.
    var list: PackageList? {
        PackageList(
            entries.map { entry in
                PackageMember(
                    path: entry.path, kind: entry.kind, mode: entry.stamp.mode,
                    modified: entry.stamp.modified, size: entry.stamp.size)
            })
    }

    /// The stamp of the whole: it changes with each member.
    var stamp: FileStamp {
        let contents = entries.filter { $0.kind != .folder }
        let newest = contents.map(\.stamp.modified).max { one, other in
            (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
        }
        return FileStamp(
            identity: folder.identity, size: mark, mode: folder.mode,
            modified: newest ?? FileTime(seconds: 0, nanoseconds: 0), changed: folder.changed,
            links: folder.links, isRacy: contents.contains { $0.stamp.isRacy })
    }

    /// What the members' stamps come to, as one number.
    private var mark: UInt64 {
        var bytes: [UInt8] = []
        for entry in entries {
            bytes.append(field: entry.path)
            bytes.append(entry.kind.rawValue)
            bytes.append(bigEndian: UInt64(entry.stamp.mode))
            // A folder's own size and time change with what is in it, which is told for itself.
            guard entry.kind != .folder else { continue }
            for time in [entry.stamp.modified, entry.stamp.identity.birth] {
                bytes.append(bigEndian: UInt64(bitPattern: time.seconds))
                bytes.append(bigEndian: UInt64(time.nanoseconds))
            }
            bytes.append(bigEndian: entry.stamp.size)
            bytes.append(bigEndian: entry.stamp.identity.inode)
        }
        return SHA256.hash(bytes).words.0
    }

    /// Whether nothing in it was touched between two walks.
    func isUnchanged(since other: PackageWalk) -> Bool {
        guard folder.identity == other.folder.identity, folder.mode == other.folder.mode,
            entries.count == other.entries.count
        else { return false }
        return zip(entries, other.entries).allSatisfy { one, two in
            one.path == two.path && one.kind == two.kind && one.stamp.mode == two.stamp.mode
                && (one.kind == .folder || one.stamp.isUnchanged(since: two.stamp))
        }
    }
}

extension EntryKind {
    /// Nil for what is no member of a package.
    fileprivate var member: PackageMember.Kind? {
        switch self {
        case .file: .file
        case .folder, .package: .folder
        case .link: .link
        case .other: nil
        }
    }
}

extension FileSystemCalls {
    /// Where a member is in an open package.
    static func member(_ path: [UInt8], of package: Descriptor) throws(DiskError) -> Spot {
        guard let slash = path.lastIndex(of: 0x2F) else {
            return Spot(folder: package, name: path.map { CChar(bitPattern: $0) } + [0])
        }
        let folder = try DeviceFolders.open(package, Array(path[..<slash]))
        let name = path[(slash + 1)...]
        return Spot(folder: folder, name: name.map { CChar(bitPattern: $0) } + [0])
    }

    /// What stands there, of a folder that is one document all of it.
    static func look(_ spot: Spot, isPackage: Bool) throws(DiskError) -> DiskEntry {
        let found = try look(spot)
        guard isPackage, found.kind == .folder else { return found }
        return DiskEntry(kind: .package, stamp: try PackageWalk(spot).stamp)
    }

    static func lookIfThere(_ spot: Spot, isPackage: Bool) throws(DiskError) -> DiskEntry? {
        do {
            return try look(spot, isPackage: isPackage)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }
}
