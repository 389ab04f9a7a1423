import CLinux
import Glibc
import SyncCore

/// The system calls that open and change files; each turns `errno` into a ``DiskError``.
///
/// They speak of a ``Spot``, a name in an open folder, so that no path is ever too long and no
/// symbolic link is followed. An interrupted call is made again.
enum FileSystemCalls {
    // MARK: Opening

    /// Follows links: for the device's home, which the person named.
    static func openHome(_ path: [UInt8]) throws(DiskError) -> Descriptor {
        let bytes = path.map { CChar(bitPattern: $0) } + [0]
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        return try opened("open") { unsafe open(bytes, flags) }
    }

    /// Opens a folder for use in other calls.
    static func openFolder(_ spot: Spot) throws(DiskError) -> Descriptor {
        try opened("openat") {
            unsafe openat(spot.folder.number, spot.name, folderFlags)
        }
    }

    /// Opens a folder for use in other calls, several names down at once.
    static func openFolder(
        _ start: Descriptor, path: [CChar]
    ) throws(DiskError) -> Descriptor {
        try opened("openat2") { unsafe clinux_open_folder(start.number, path) }
    }

    /// Opens the folder itself for listing or for making it durable.
    static func openSelf(_ folder: Descriptor) throws(DiskError) -> Descriptor {
        try opened("openat") { unsafe openat(folder.number, ".", folderFlags) }
    }

    static func openEntry(_ spot: Spot) throws(DiskError) -> Descriptor {
        try opened("openat") { unsafe clinux_open_entry(spot.folder.number, spot.name) }
    }

    /// Stands for an open file, without having it open.
    static func openEntry(of open: Descriptor) throws(DiskError) -> Descriptor {
        let path = procPath(open)
        return try opened("open") { unsafe clinux_open_again(path) }
    }

    /// Opens for reading what stands for a file, whatever has become of its name.
    static func openContent(of entry: Descriptor) throws(DiskError) -> Descriptor {
        let path = procPath(entry)
        return try opened("open") { unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    }

    static func openContent(_ spot: Spot) throws(DiskError) -> Descriptor {
        try opened("openat") { unsafe clinux_open_content(spot.folder.number, spot.name) }
    }

    static func openNew(_ spot: Spot) throws(DiskError) -> Descriptor {
        try opened("openat") { unsafe clinux_open_new(spot.folder.number, spot.name, 0o600) }
    }

    private static var folderFlags: Int32 { O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC }

    // MARK: Content

    /// Reads at most `count` bytes into the buffer, fewer only at the end of the file.
    static func read(
        _ file: Descriptor, into buffer: inout [UInt8], count: Int
    ) throws(DiskError) -> Int {
        var filled = 0
        while filled < count {
            let got = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(
                    file.number, bytes.baseAddress?.advanced(by: filled), count - filled)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw .last("read") }
            if got == 0 { break }
            filled += got
        }
        return filled
    }

    static func write(_ bytes: ArraySlice<UInt8>, to file: Descriptor) throws(DiskError) {
        var written = 0
        while written < bytes.count {
            let put = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    file.number, buffer.baseAddress?.advanced(by: written),
                    bytes.count - written)
            }
            if put < 0 && errno == EINTR { continue }
            guard put >= 0 else { throw .last("write") }
            written += put
        }
    }

    /// The target of a symbolic link.
    static func readLink(_ spot: Spot) throws(DiskError) -> [UInt8] {
        // Linux knows no longer target.
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlinkat(
            spot.folder.number, spot.name, &buffer, buffer.count)
        guard count >= 0 else { throw .last("readlinkat") }
        return buffer.prefix(count).map { UInt8(bitPattern: $0) }
    }

    // MARK: Names

    static func makeFolder(_ spot: Spot, mode: UInt16) throws(DiskError) {
        try check("mkdirat") {
            unsafe mkdirat(spot.folder.number, spot.name, mode_t(mode))
        }
    }

    static func makeLink(_ spot: Spot, target: [UInt8]) throws(DiskError) {
        let bytes = target.map { CChar(bitPattern: $0) } + [0]
        try check("symlinkat") { unsafe symlinkat(bytes, spot.folder.number, spot.name) }
    }

    /// Never replaces.
    static func rename(_ from: Spot, to: Spot) throws(DiskError) {
        do {
            try check("renameat2") {
                unsafe clinux_rename_new(
                    from.folder.number, from.name, to.folder.number, to.name)
            }
        } catch {
            // Where the flag is not known (some network file systems), a second name does it.
            guard error.isUnsupported else { throw error }
            try renameByLink(from, to: to, otherwise: error)
        }
    }

    /// The same by giving a second name and taking the first.
    ///
    /// Folders cannot have two names: one is renamed after a look, and the worst that a race can
    /// do there is to replace an empty folder.
    static func renameByLink(
        _ from: Spot, to: Spot, otherwise refusal: DiskError
    ) throws(DiskError) {
        if try look(from).kind != .folder {
            try link(from, to: to)
            return try removeFile(from)
        }
        guard try lookIfThere(to) == nil else {
            throw DiskError(code: EEXIST, call: refusal.call)
        }
        try replace(from, to: to)
    }

    /// Replaces what has the name: never for what a person may have put there.
    static func replace(_ from: Spot, to: Spot) throws(DiskError) {
        try check("renameat") {
            unsafe renameat(from.folder.number, from.name, to.folder.number, to.name)
        }
    }

    static func exchange(_ one: Spot, _ other: Spot) throws(DiskError) {
        try check("renameat2") {
            unsafe clinux_exchange(
                one.folder.number, one.name, other.folder.number, other.name)
        }
    }

    /// Gives a file a second name; never replaces.
    static func link(_ from: Spot, to: Spot) throws(DiskError) {
        try check("linkat") {
            unsafe linkat(from.folder.number, from.name, to.folder.number, to.name, 0)
        }
    }

    static func removeFile(_ spot: Spot) throws(DiskError) {
        try check("unlinkat") { unsafe unlinkat(spot.folder.number, spot.name, 0) }
    }

    static func removeFolder(_ spot: Spot) throws(DiskError) {
        try check("unlinkat") {
            unsafe unlinkat(spot.folder.number, spot.name, AT_REMOVEDIR)
        }
    }

    /// Removes what only we have put there: a file, or a folder with all that is in it.
    static func removeOwn(_ spot: Spot) throws(DiskError) {
        guard try look(spot).kind == .folder else { return try removeFile(spot) }
        let folder = try openFolder(spot)
        // It may have got its mode already, which does not let us write to it.
        try? setMode(folder, 0o700)
        for name in try names(in: folder) { try removeOwn(Spot(folder, name)) }
        try removeFolder(spot)
    }

    // MARK: Durability

    static func sync(_ file: Descriptor) throws(DiskError) {
        try check("fsync") { fsync(file.number) }
    }

    /// Makes durable what others have written, where the file system can.
    static func syncFound(_ file: Descriptor) throws(DiskError) {
        do {
            try sync(file)
        } catch {
            // It has nothing that could be lost, or no such call.
            guard [EINVAL, EROFS, ENOSYS, EOPNOTSUPP].contains(error.code) else { throw error }
        }
    }

    /// Makes everything on the descriptor's file system durable.
    static func syncAll(_ any: Descriptor) throws(DiskError) {
        try check("syncfs") { clinux_sync_all(any.number) }
    }

    // MARK: Errors

    static func check(_ call: String, _ body: () -> Int32) throws(DiskError) {
        while body() != 0 {
            guard errno == EINTR else { throw .last(call) }
        }
    }

    static func opened(_ call: String, _ body: () -> Int32) throws(DiskError) -> Descriptor {
        while true {
            let number = body()
            if number >= 0 { return Descriptor(owning: number) }
            guard errno == EINTR else { throw .last(call) }
        }
    }
}
