import Glibc
import Synchronization

/// The folder that holds everything of a server.
struct DataFolder: Sendable {
    let path: String

    /// Makes the folder, for this user alone, with the folders above it.
    init(creating path: String) throws(DataFolderFailure) {
        self.path = path
        try DataFolder.make(path)
        guard unsafe access(path, R_OK | W_OK | X_OK) == 0 else {
            throw DataFolderFailure(.notWritable(path, errno))
        }
    }

    /// The file that says which server runs here.
    private var lockPath: String { "\(path)/lock" }

    /// What other processes change when they revoke tokens.
    var revocationMark: RevocationMark { RevocationMark(path: "\(path)/revoked") }

    /// Keeps other servers away for as long as the lock lives; the kernel frees it on any death.
    func lock() throws(DataFolderFailure) -> FolderLock {
        let descriptor = unsafe open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DataFolderFailure(.notWritable(path, errno)) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            close(descriptor)
            if reason == EWOULDBLOCK { throw DataFolderFailure(.inUse(path)) }
            throw DataFolderFailure(.notWritable(path, reason))
        }
        return FolderLock(descriptor: descriptor)
    }

    private static func make(_ path: String) throws(DataFolderFailure) {
        if unsafe mkdir(path, 0o700) == 0 { return }
        switch errno {
        case EEXIST:
            try requireFolder(path)
        case ENOENT:
            guard let above = folder(above: path) else {
                throw DataFolderFailure(.notWritable(path, ENOENT))
            }
            try make(above)
            guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw DataFolderFailure(.notWritable(path, errno))
            }
        default:
            throw DataFolderFailure(.notWritable(path, errno))
        }
    }

    private static func requireFolder(_ path: String) throws(DataFolderFailure) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw DataFolderFailure(.notWritable(path, errno))
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw DataFolderFailure(.notWritable(path, ENOTDIR))
        }
    }

    private static func folder(above path: String) -> String? {
        var bytes = Array(path.utf8)
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return nil }
        return String(decoding: bytes[..<slash], as: UTF8.self)
    }
}

/// A server's hold on its data folder.
final class FolderLock: Sendable {
    private let descriptor: Mutex<Int32?>

    init(descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    deinit { release() }

    func release() {
        descriptor.withLock { descriptor in
            if let descriptor { close(descriptor) }
            descriptor = nil
        }
    }
}

/// Why a data folder cannot be used.
struct DataFolderFailure: Error {
    enum Reason {
        case inUse(String)
        case notWritable(String, Int32)
    }

    let reason: Reason

    init(_ reason: Reason) { self.reason = reason }
}

extension DataFolderFailure: CustomStringConvertible {
    var description: String {
        switch reason {
        case .inUse(let path):
            "another server runs on \(path); stop it, or name another folder with --data"
        case .notWritable(let path, let code):
            "\(path) cannot be used as data folder: \(errorText(code)); "
                + "make it a folder that this user may write to, or name another one with --data"
        }
    }
}

/// What the system says of an error number.
func errorText(_ code: Int32) -> String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
}
