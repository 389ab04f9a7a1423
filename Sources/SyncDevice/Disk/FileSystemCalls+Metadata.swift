import CLinux
import Glibc
import SyncCore

/// What is known of a file beside its content.
extension FileSystemCalls {
    static func look(_ spot: Spot) throws(DiskError) -> DiskEntry {
        var file = clinux_file()
        let now = wallClock()
        try check("statx") { unsafe clinux_stat(spot.folder.number, spot.name, &file) }
        return DiskEntry(file, takenAt: now)
    }

    /// Nil if nothing is there.
    static func lookIfThere(_ spot: Spot) throws(DiskError) -> DiskEntry? {
        do {
            return try look(spot)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    static func look(_ open: Descriptor) throws(DiskError) -> DiskEntry {
        var file = clinux_file()
        let now = wallClock()
        try check("statx") { unsafe clinux_stat_open(open.number, &file) }
        return DiskEntry(file, takenAt: now)
    }

    /// Nil where that cannot be known: the file is not ours, or the file system has no leases.
    ///
    /// The file is open for reading only.
    static func hasWriter(_ open: Descriptor) -> Bool? {
        switch clinux_has_writer(open.number) {
        case 0: false
        case 1: true
        default: nil
        }
    }

    /// Whether anybody else has the file open; nil where that cannot be known.
    ///
    /// The file is open for reading only.
    static func hasOthers(_ open: Descriptor) -> Bool? {
        switch clinux_has_others(open.number) {
        case 0: false
        case 1: true
        default: nil
        }
    }

    /// Sets the permissions of an open file or folder, also of one opened for other calls only.
    static func setMode(_ open: Descriptor, _ mode: UInt16) throws(DiskError) {
        if fchmod(open.number, mode_t(mode & 0o777)) == 0 { return }
        guard errno == EBADF else { throw .last("fchmod") }
        let path = procPath(open)
        try check("fchmodat") { unsafe fchmodat(AT_FDCWD, path, mode_t(mode & 0o777), 0) }
    }

    /// Sets the modification time, of a link its own.
    static func setModified(_ spot: Spot, _ time: FileTime) throws(DiskError) {
        // Two values over a second mean "now" and "leave it" to the kernel.
        let nanoseconds = min(time.nanoseconds, 999_999_999)
        try check("utimensat") {
            unsafe clinux_set_modified(
                spot.folder.number, spot.name, time.seconds, nanoseconds)
        }
    }

    static func manglesNames(_ open: Descriptor) -> Bool {
        clinux_mangles_names(open.number) != 0
    }

    /// The path by which calls that take no descriptor reach what it stands for.
    static func procPath(_ open: Descriptor) -> [CChar] {
        "/proc/self/fd/\(open.number)".utf8.map { CChar(bitPattern: $0) } + [0]
    }

    /// Where the folder is now, from the root; nil beyond the length that a path may have.
    static func path(of open: Descriptor) -> [UInt8]? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let link = procPath(open)
        let count = unsafe readlink(link, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return buffer.prefix(count).map { UInt8(bitPattern: $0) }
    }

    static func wallClock() -> FileTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return FileTime(seconds: Int64(time.tv_sec), nanoseconds: UInt32(time.tv_nsec))
    }
}
