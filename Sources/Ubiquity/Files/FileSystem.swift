import CLinux
import Foundation
import Glibc

/// The system calls of the library: each goes on after a signal, and throws its reason.
enum FileSystem {
    /// Nil if nothing stands there; a link itself is looked at.
    static func look(_ path: [UInt8]) throws(FileFailure) -> FileStamp? {
        var status = stat()
        let name = terminated(path)
        guard unsafe lstat(name, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .last("lstat", path)
        }
        return FileStamp(status)
    }

    static func look(_ descriptor: Int32, _ path: [UInt8]) throws(FileFailure) -> FileStamp {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last("fstat", path) }
        return FileStamp(status)
    }

    static func open(
        _ path: [UInt8], _ flags: Int32, mode: UInt16 = 0o600
    ) throws(FileFailure) -> Int32 {
        let name = terminated(path)
        return try checked("open", path) {
            unsafe Glibc.open(name, flags | O_CLOEXEC, mode_t(mode))
        }
    }

    static func readAll(_ descriptor: Int32, _ path: [UInt8]) throws(FileFailure) -> [UInt8] {
        let expected = Int(clamping: try look(descriptor, path).size)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(expected + 1)
        var buffer = [UInt8](repeating: 0, count: max(min(expected + 1, 1 << 20), 4096))
        while true {
            let count = try checked("read", path) {
                unsafe Glibc.read(descriptor, &buffer, buffer.count)
            }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    static func writeAll(
        _ bytes: Data, to descriptor: Int32, _ path: [UInt8]
    ) throws(FileFailure) {
        var failure: FileFailure?
        unsafe bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
                let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    done += count
                } else if errno != EINTR {
                    failure = .last("write", path)
                    return
                }
            }
        }
        if let failure { throw failure }
    }

    static func synchronize(_ descriptor: Int32, _ path: [UInt8]) throws(FileFailure) {
        _ = try checked("fsync", path) { fsync(descriptor) }
    }

    /// Makes the names in a folder durable.
    static func synchronizeFolder(_ path: [UInt8]) throws(FileFailure) {
        let folder = try open(path, O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        try synchronize(folder, path)
    }

    static func setMode(
        _ mode: UInt16, of descriptor: Int32, _ path: [UInt8]
    ) throws(FileFailure) {
        _ = try checked("fchmod", path) { fchmod(descriptor, mode_t(mode)) }
    }

    static func rename(_ from: [UInt8], to: [UInt8]) throws(FileFailure) {
        let (old, new) = (terminated(from), terminated(to))
        _ = try checked("rename", to) { unsafe Glibc.rename(old, new) }
    }

    /// False if something stands there.
    static func renameIfFree(_ from: [UInt8], to: [UInt8]) throws(FileFailure) -> Bool {
        let (old, new) = (terminated(from), terminated(to))
        guard unsafe clinux_rename_new(AT_FDCWD, old, AT_FDCWD, new) != 0 else { return true }
        if errno == EEXIST { return false }
        throw .last("renameat2", to)
    }

    /// Swaps what stands at two names; false if nothing stands at the second.
    static func exchange(_ one: [UInt8], _ other: [UInt8]) throws(FileFailure) -> Bool {
        let (first, second) = (terminated(one), terminated(other))
        guard unsafe clinux_exchange(AT_FDCWD, first, AT_FDCWD, second) != 0 else { return true }
        if errno == ENOENT { return false }
        throw .last("renameat2", other)
    }

    static func remove(_ path: [UInt8]) {
        let name = terminated(path)
        _ = unsafe unlink(name)
    }

    /// Makes the folder and those above it, for their owner only; those that are there stay.
    static func makePrivateFolders(_ path: [UInt8]) throws(FileFailure) {
        let slash = UInt8(ascii: "/")
        var ends = path.indices.filter { $0 > 0 && path[$0] == slash }
        ends.append(path.count)
        for end in ends {
            let name = terminated(Array(path[..<end]))
            guard unsafe mkdir(name, 0o700) != 0, errno != EEXIST else { continue }
            // A folder above that may not be looked into may be there all the same.
            if end == path.count { throw .last("mkdir", path) }
        }
    }

    /// Waits until nobody else has the lock; closing the descriptor gives it up.
    static func lock(_ path: [UInt8]) throws(FileFailure) -> Int32 {
        let descriptor = try open(path, O_RDWR | O_CREAT)
        do throws(FileFailure) {
            _ = try checked("flock", path) { flock(descriptor, LOCK_EX) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// False if somebody else has the lock; closing the descriptor gives it up.
    static func lockAtOnce(
        _ descriptor: Int32, _ kind: Int32, _ path: [UInt8]
    ) throws(FileFailure) -> Bool {
        do throws(FileFailure) {
            _ = try checked("flock", path) { flock(descriptor, kind | LOCK_NB) }
            return true
        } catch {
            guard error.code == EWOULDBLOCK else { throw error }
            return false
        }
    }

    /// Whether somebody has the file open for writing, or one in the folder; false also where that
    /// cannot be known.
    static func hasWriter(_ path: [UInt8]) throws(FileFailure) -> Bool {
        switch try look(path)?.kind {
        case .file:
            let file = try open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            defer { close(file) }
            return clinux_has_writer(file) == 1
        case .folder:
            let names = FileManager.default.enumerator(atPath: fileURL(path, isFolder: true).path)
            while let name = names?.nextObject() as? String {
                if try look(path.appending(name))?.kind == .file,
                    try hasWriter(path.appending(name))
                {
                    return true
                }
            }
            return false
        case .link, .other, nil: return false
        }
    }

    static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

    /// The place that a path of links leads to; nil if it is not there.
    static func resolved(_ path: [UInt8]) -> [UInt8]? {
        let name = terminated(path)
        guard let result = unsafe realpath(name, nil) else { return nil }
        defer { unsafe free(result) }
        let count = unsafe strlen(result)
        return unsafe UnsafeBufferPointer(start: result, count: count).map {
            UInt8(bitPattern: $0)
        }
    }

    private static func terminated(_ path: [UInt8]) -> [CChar] {
        path.map { CChar(bitPattern: $0) } + [0]
    }

    private static func checked<Value: SignedInteger>(
        _ call: String, _ path: [UInt8], _ body: () -> Value
    ) throws(FileFailure) -> Value {
        while true {
            let result = body()
            if result >= 0 { return result }
            if errno != EINTR { throw .last(call, path) }
        }
    }
}

extension [UInt8] {
    /// The folder of a path that has a slash in it.
    var folder: [UInt8] {
        guard let slash = lastIndex(of: UInt8(ascii: "/")) else { return [UInt8(ascii: ".")] }
        return slash == startIndex ? [UInt8(ascii: "/")] : Array(self[..<slash])
    }

    func appending(_ name: String) -> [UInt8] { self + [UInt8(ascii: "/")] + Array(name.utf8) }
}
