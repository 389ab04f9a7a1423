import Foundation

/// Stamps that know folders too: a package's stamp changes with each of its members.
enum PackageStamp {
    /// Nil if nothing stands there.
    static func look(_ path: [UInt8]) throws(FileFailure) -> FileStamp? {
        guard var stamp = try FileSystem.look(path), stamp.kind == .folder else {
            return try FileSystem.look(path)
        }
        let names = FileManager.default.enumerator(atPath: fileURL(path, isFolder: true).path)
        var members: [(String, FileStamp)] = []
        while let name = names?.nextObject() as? String {
            // One that has just gone shows in its folder's stamp.
            guard let member = try FileSystem.look(path.appending(name)) else { continue }
            members.append((name, member))
        }
        var hasher = Hasher()
        for (name, member) in members.sorted(by: { $0.0 < $1.0 }) {
            hasher.combine(name)
            hasher.combine(member)
        }
        stamp.members = hasher.finalize()
        return stamp
    }

    /// Makes a file, or a folder with everything in it, durable but for its own name.
    static func synchronize(_ path: [UInt8]) throws(FileFailure) {
        guard let stamp = try FileSystem.look(path) else { return }
        if stamp.kind == .folder {
            let names = FileManager.default.enumerator(atPath: fileURL(path, isFolder: true).path)
            while let name = names?.nextObject() as? String {
                try synchronizeOne(path.appending(name))
            }
        }
        try synchronizeOne(path)
    }

    private static func synchronizeOne(_ path: [UInt8]) throws(FileFailure) {
        guard let stamp = try FileSystem.look(path) else { return }
        switch stamp.kind {
        case .file, .folder:
            let descriptor = try FileSystem.open(path, O_RDONLY)
            defer { FileSystem.close(descriptor) }
            try FileSystem.synchronize(descriptor, path)
        // A link is durable with its folder.
        case .link, .other: return
        }
    }
}
