import Foundation
import Glibc
import NotesCore

/// The system calls of the notes app: each goes on after a signal, and throws its reason.
enum FileSystem {
    /// Looks at what stands at a path, also at a link itself; nil if nothing is there.
    static func look(_ path: [UInt8]) throws(FileFailure) -> FileFacts? {
        var status = stat()
        let name = terminated(path)
        guard unsafe lstat(name, &status) == 0 else {
            let failure = FileFailure.last(path)
            if failure.isMissing { return nil }
            throw failure
        }
        return FileFacts(status)
    }

    static func look(_ file: borrowing OpenFile) throws(FileFailure) -> FileFacts {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { throw .last(file.path) }
        return FileFacts(status)
    }

    /// Opens without following a link in the last name, and without waiting for what is no file.
    static func open(
        _ path: [UInt8], _ flags: Int32, mode: UInt16 = 0o666
    ) throws(FileFailure) -> OpenFile {
        let name = terminated(path)
        let all = flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let number = try checked(path) { unsafe Glibc.open(name, all, mode_t(mode)) }
        return OpenFile(number: number, path: path)
    }

    /// Opens the same file once more, for reading only.
    static func reopen(_ file: borrowing OpenFile) throws(FileFailure) -> OpenFile {
        let name = terminated(file.descriptorPath)
        let number = try checked(file.path) { unsafe Glibc.open(name, O_RDONLY | O_CLOEXEC) }
        return OpenFile(number: number, path: file.path)
    }

    static func read(
        _ file: borrowing OpenFile, _ buffer: inout [UInt8]
    ) throws(FileFailure) -> Int {
        let number = file.number
        return try checked(file.path) { unsafe Glibc.read(number, &buffer, buffer.count) }
    }

    /// Fills the buffer from an offset on; gives less than its size only at the file's end.
    static func read(
        _ file: borrowing OpenFile, _ buffer: inout [UInt8], at offset: Int
    ) throws(FileFailure) -> Int {
        let number = file.number
        var done = 0
        while done < buffer.count {
            let count = try checked(file.path) {
                unsafe buffer.withUnsafeMutableBytes { bytes in
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
                    return unsafe pread(number, rest.baseAddress, rest.count, offset + done)
                }
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    static func write(_ bytes: ArraySlice<UInt8>, to file: borrowing OpenFile) throws(FileFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let number = file.number
            let count = try checked(file.path) {
                unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
    }

    static func synchronize(_ file: borrowing OpenFile) throws(FileFailure) {
        let number = file.number
        _ = try checked(file.path) { fsync(number) }
    }

    static func setMode(_ mode: UInt16, _ file: borrowing OpenFile) throws(FileFailure) {
        let number = file.number
        _ = try checked(file.path) { fchmod(number, mode_t(mode)) }
    }

    /// Sets the modification time, and the access time to the same.
    static func setModified(_ time: NoteTime, _ file: borrowing OpenFile) throws(FileFailure) {
        let number = file.number
        let value = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.nanoseconds))
        let times = [value, value]
        _ = try checked(file.path) { unsafe futimens(number, times) }
    }

    /// Gives a file a further name; never takes one that is taken.
    static func link(_ from: [UInt8], to: [UInt8]) throws(FileFailure) {
        let (old, new) = (terminated(from), terminated(to))
        _ = try checked(to) { unsafe linkat(AT_FDCWD, old, AT_FDCWD, new, AT_SYMLINK_FOLLOW) }
    }

    static func remove(_ path: [UInt8]) throws(FileFailure) {
        let name = terminated(path)
        _ = try checked(path) { unsafe unlink(name) }
    }

    /// A folder that is there already stays as it is.
    static func makeFolder(_ path: [UInt8]) throws(FileFailure) {
        let name = terminated(path)
        guard unsafe mkdir(name, 0o777) != 0 else { return }
        let failure = FileFailure.last(path)
        guard failure.code == EEXIST, try look(path)?.kind == .folder else { throw failure }
    }

    /// Waits until no other program has the file or folder locked.
    static func lock(_ file: borrowing OpenFile) throws(FileFailure) {
        let number = file.number
        _ = try checked(file.path) { flock(number, LOCK_EX) }
    }

    /// The place that a path of links leads to; nil if it is not there.
    static func resolved(_ path: [UInt8]) -> [UInt8]? {
        let name = terminated(path)
        guard let result = unsafe realpath(name, nil) else { return nil }
        defer { unsafe free(result) }
        return unsafe bytes(ofText: result)
    }

    static func workingFolder() -> [UInt8]? { resolved([UInt8(ascii: ".")]) }

    /// The names in a folder, in the order of their bytes, without the folder itself.
    static func names(in path: [UInt8]) throws(FileFailure) -> [[UInt8]] {
        let name = terminated(path)
        guard let folder = unsafe opendir(name) else { throw .last(path) }
        defer { unsafe closedir(folder) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(folder) else {
                if errno != 0 { throw .last(path) }
                break
            }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe Array(bytes.prefix { $0 != 0 })
            }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func terminated(_ path: [UInt8]) -> [CChar] {
        path.map { CChar(bitPattern: $0) } + [0]
    }

    private static func checked<Value: SignedInteger>(
        _ path: [UInt8], _ body: () -> Value
    ) throws(FileFailure) -> Value {
        while true {
            let result = body()
            if result >= 0 { return result }
            if errno != EINTR { throw .last(path) }
        }
    }
}

/// The bytes of a text that ends with a zero.
@unsafe func bytes(ofText text: UnsafePointer<CChar>) -> [UInt8] {
    unsafe UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
}
