import Glibc
import SyncCore
import SyncStore

/// A package is put together in the staging folder, member by member, from its content.
extension Installer {
    /// Nil if the content is not there, or is not the version's.
    func stagedPackage(
        _ content: Installation.Content, _ facts: VersionFacts, syncs: Bool
    ) throws(DiskError) -> StagedEntry? {
        guard let bytes = try PackageBytes(content, facts) else { return nil }
        guard let front = try bytes.read(at: 0, count: PackageList.frontBytes),
            let count = PackageList.count(of: front),
            let list = try bytes.read(at: 0, count: count).flatMap({ PackageList(front: $0) }),
            list.contentSize == facts.size
        else {
            // Its bytes are what its version says: whoever made it did not make a package.
            throw DiskError(code: EBADMSG, call: "read")
        }
        let spot = newSpot()
        try FileSystemCalls.makeFolder(spot, mode: 0o700)
        let entry = StagedEntry(spot)
        let folder = try FileSystemCalls.openFolder(spot)
        do {
            try build(list, bytes, in: folder)
            try tolerating { () throws(DiskError) in
                try FileSystemCalls.setMode(folder, facts.mode)
            }
        } catch {
            // Two of its names are one here, as where case does not count.
            throw error.isTaken ? DiskError(code: EILSEQ, call: error.call) : error.atName
        }
        if syncs { try FileSystemCalls.syncAll(folders.staging) }
        return entry
    }

    private func build(
        _ list: PackageList, _ bytes: borrowing PackageBytes, in package: Descriptor
    ) throws(DiskError) {
        var offset = UInt64(list.count)
        for member in list.members {
            let spot = try FileSystemCalls.member(member.path, of: package)
            switch member.kind {
            case .folder: try FileSystemCalls.makeFolder(spot, mode: 0o700)
            case .link:
                let target = try bytes.read(at: offset, count: Int(clamping: member.size)) ?? []
                try makeLink(spot, target)
            case .file:
                let file = try FileSystemCalls.openNew(spot)
                try bytes.copy(offset, member.size, to: file)
                try tolerating { () throws(DiskError) in
                    try FileSystemCalls.setMode(file, member.mode)
                }
            }
            if member.kind != .folder {
                try tolerating { () throws(DiskError) in
                    try FileSystemCalls.setModified(spot, member.modified)
                }
            }
            guard try showsName(spot) else { throw DiskError(code: EILSEQ, call: "openat") }
            offset += member.size
        }
        // Last, and the innermost first: what may not be written to gets nothing more.
        for member in list.members.reversed() where member.kind == .folder {
            let spot = try FileSystemCalls.member(member.path, of: package)
            let folder = try FileSystemCalls.openFolder(spot)
            try tolerating { () throws(DiskError) in
                try FileSystemCalls.setMode(folder, member.mode)
            }
        }
    }

    private func makeLink(_ spot: Spot, _ target: [UInt8]) throws(DiskError) {
        guard !target.isEmpty, !target.contains(0) else {
            throw DiskError(code: EILSEQ, call: "symlinkat")
        }
        try FileSystemCalls.makeLink(spot, target: target)
    }
}

/// A package's content, in memory or in a file.
private enum PackageBytes: ~Copyable {
    case memory([UInt8])
    case file(Descriptor)

    /// Nil if the content is not there, or is not the version's.
    init?(_ content: Installation.Content, _ facts: VersionFacts) throws(DiskError) {
        switch content {
        case .none: return nil
        case .bytes(let bytes):
            guard UInt64(bytes.count) == facts.size, SHA256.hash(bytes) == facts.digest else {
                return nil
            }
            self = .memory(bytes)
        case .staged(let file):
            guard let open = try file.opened(as: facts) else { return nil }
            self = .file(open)
        }
    }

    borrowing func read(at offset: UInt64, count: Int) throws(DiskError) -> [UInt8]? {
        switch self {
        case .memory(let bytes):
            guard let start = Int(exactly: offset), start <= bytes.count, count >= 0,
                bytes.count - start >= count
            else { return nil }
            return Array(bytes[start..<(start + count)])
        case .file(let file): return try FileSystemCalls.read(file, at: offset, count: count)
        }
    }

    /// Copies a stretch into a new file.
    borrowing func copy(
        _ offset: UInt64, _ count: UInt64, to file: Descriptor
    ) throws(DiskError) {
        switch self {
        case .memory:
            let bytes = try read(at: offset, count: Int(clamping: count)) ?? []
            try FileSystemCalls.write(bytes[...], to: file)
        case .file(let source):
            try FileSystemCalls.copy(source, at: offset, count: count, to: file)
        }
    }
}
