internal import CLinux
internal import Glibc

/// The few system calls that stores make beside SQLite, with `errno` as a typed error.
enum FileSystem {
    /// Not durable by itself; one that is there already is no error.
    static func makeFolder(_ path: String) throws(StoreError) {
        guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw failure("cannot make the folder", path)
    }

    /// An empty file that only its owner may open; one that is there already stays as it is.
    static func makePrivateFile(_ path: String) throws(StoreError) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("cannot open", path) }
        close(file)
    }

    static func removeIfThere(_ path: String) throws(StoreError) {
        guard unsafe unlink(path) != 0, errno != ENOENT else { return }
        throw failure("cannot remove", path)
    }

    static func isThere(_ path: String) throws(StoreError) -> Bool {
        var status = stat()
        if unsafe lstat(path, &status) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw failure("cannot look at", path) }
        return false
    }

    /// Whether two names are of one file.
    static func isSame(_ path: String, _ other: String) throws(StoreError) -> Bool {
        var one = stat()
        var two = stat()
        guard unsafe lstat(path, &one) == 0 else { throw failure("cannot look at", path) }
        guard unsafe lstat(other, &two) == 0 else { throw failure("cannot look at", other) }
        return one.st_dev == two.st_dev && one.st_ino == two.st_ino
    }

    /// The same file under another name, too.
    static func link(_ path: String, as other: String) throws(StoreError) {
        guard unsafe Glibc.link(path, other) == 0 else { throw failure("cannot link", path) }
    }

    /// The bytes of a file in a new private one, not yet durable.
    static func copy(_ path: String, to target: String) throws(StoreError) {
        let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw failure("cannot open", path) }
        defer { close(source) }
        let file = unsafe open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("cannot make", target) }
        defer { close(file) }
        while true {
            let bytes = try read(source, count: 1 << 20, path)
            if bytes.isEmpty { return }
            try write(bytes[...], to: file, target)
        }
    }

    /// Does something that nobody else does at the same time in the folder that holds the path;
    /// refused as busy if somebody does.
    static func alone<Value>(
        inFolderOf path: String, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let folder = folder(of: path)
        let file = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw failure("cannot open", folder) }
        // The kernel frees the lock on any death. Where there are none all goes unlocked.
        defer { close(file) }
        if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { throw .busy }
        return try body()
    }

    static func move(_ path: String, to other: String) throws(StoreError) {
        guard unsafe rename(path, other) == 0 else { throw failure("cannot rename", path) }
    }

    /// Makes a complete file durable under its final name.
    static func publish(_ temporary: String, as target: String) throws(StoreError) {
        let file = unsafe open(temporary, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure("cannot open", temporary) }
        defer { close(file) }
        guard fdatasync(file) == 0 else { throw failure("cannot sync", temporary) }
        guard unsafe rename(temporary, target) == 0 else {
            throw failure("cannot rename", temporary)
        }
        try syncFolder(containing: target)
    }

    /// Makes everything on the folder's file system durable: for many files at once.
    static func syncAll(_ folder: String) throws(StoreError) {
        let file = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw failure("cannot open", folder) }
        defer { close(file) }
        guard clinux_sync_all(file) == 0 else { throw failure("cannot sync", folder) }
    }

    /// An empty folder; one that is not empty or not there stays as it is.
    static func removeFolderIfEmpty(_ path: String) { _ = unsafe rmdir(path) }

    /// Makes the names in the folder that holds the path durable.
    static func syncFolder(containing path: String) throws(StoreError) {
        try syncFolder(folder(of: path))
    }

    static func syncFolder(_ path: String) throws(StoreError) {
        let file = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw failure("cannot open", path) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw failure("cannot sync", path) }
    }

    /// Writes a new file with these bytes, not yet durable.
    static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
        try write(bytes[...], to: path)
    }

    static func write(_ bytes: ArraySlice<UInt8>, to path: String) throws(StoreError) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("cannot make", path) }
        defer { close(file) }
        try write(bytes, to: file, path)
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, to file: Int32, _ path: String
    ) throws(StoreError) {
        var offset = 0
        while offset < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    file, buffer.baseAddress?.advanced(by: offset), bytes.count - offset)
            }
            if written < 0 && errno == EINTR { continue }
            guard written >= 0 else { throw failure("cannot write", path) }
            offset += written
        }
    }

    /// All bytes of a file; nil if there is none.
    static func read(_ path: String) throws(StoreError) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("cannot open", path)
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw failure("cannot stat", path) }
        return try read(file, count: Int(status.st_size), path)
    }

    private static func read(
        _ file: Int32, count: Int, _ path: String
    ) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var offset = 0
        while offset < count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(file, buffer.baseAddress?.advanced(by: offset), count - offset)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw failure("cannot read", path) }
            guard got > 0 else { break }
            offset += got
        }
        return offset == count ? bytes : Array(bytes.prefix(offset))
    }

    static func names(in folder: String) throws(StoreError) -> [String] {
        guard let stream = unsafe opendir(folder) else { throw failure("cannot list", folder) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// What the last call's `errno` says.
    static func failure(_ what: String, _ path: String) -> StoreError {
        let number = errno
        guard number != ENOSPC && number != EDQUOT else { return .diskFull }
        let reason = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "\(number)"
        return .inputOutput("\(what) \(path): \(reason)")
    }
}
