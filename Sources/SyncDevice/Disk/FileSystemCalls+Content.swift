import CLinux
import Glibc
import SyncCore

/// Contents by their places in a file, with what is not stored in it left out.
extension FileSystemCalls {
    /// Opens a file of the device's own for reading and writing, and makes it if need be.
    static func openOwn(_ spot: Spot) throws(DiskError) -> Descriptor {
        try opened("openat") {
            unsafe clinux_open_own(spot.folder.number, spot.name, 0o600)
        }
    }

    /// Reads into a stretch of the buffer, fewer bytes only at the end of the file; gives how many.
    static func read(
        _ file: Descriptor, at offset: UInt64, into buffer: inout [UInt8], _ stretch: Range<Int>
    ) throws(DiskError) -> Int {
        var filled = 0
        while filled < stretch.count {
            let got = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe pread(
                    file.number, bytes.baseAddress?.advanced(by: stretch.lowerBound + filled),
                    stretch.count - filled, off_t(clamping: offset) + off_t(filled))
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw .last("pread") }
            if got == 0 { break }
            filled += got
        }
        return filled
    }

    /// All bytes of a stretch of a file; nil if it ends before.
    static func read(
        _ file: Descriptor, at offset: UInt64, count: Int
    ) throws(DiskError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try read(file, at: offset, into: &bytes, 0..<count)
        return got == count ? bytes : nil
    }

    /// The same by way of a map, of which inotify does not tell; fewer bytes also where there is
    /// no map, or the file cannot be read.
    static func readMapped(
        _ file: Descriptor, at offset: UInt64, into buffer: inout [UInt8], _ stretch: Range<Int>,
        _ scratch: Descriptor
    ) -> Int {
        let got = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe clinux_read_mapped(
                file.number, Int64(clamping: offset),
                bytes.baseAddress?.advanced(by: stretch.lowerBound), stretch.count, scratch.number)
        }
        return max(0, got)
    }

    /// The bytes that the file takes on its disk.
    static func storedBytes(_ file: Descriptor) -> UInt64 {
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else { return 0 }
        return UInt64(clamping: status.st_blocks) * 512
    }

    /// The room of the file system that a folder is on, as far as it is there for everybody.
    static func room(of folder: Descriptor) throws(DiskError) -> DiskRoom {
        var status = statvfs()
        try check("fstatvfs") { unsafe fstatvfs(folder.number, &status) }
        let unit = UInt64(status.f_frsize)
        return DiskRoom(
            free: UInt64(status.f_bavail).multipliedReportingOverflow(by: unit).partialValue,
            total: UInt64(status.f_blocks).multipliedReportingOverflow(by: unit).partialValue)
    }

    /// Writes the bytes where the file has nothing yet; blocks of zeros are left to be holes.
    ///
    /// The file's length is for ``setLength(_:of:)``.
    static func writeSparsely(
        _ bytes: ArraySlice<UInt8>, at offset: UInt64, to file: Descriptor
    ) throws(DiskError) {
        var start = bytes.startIndex
        var isHole = false
        var next = start
        while next < bytes.endIndex {
            let end = min(next + Self.block, bytes.endIndex)
            let isZero = Self.isZero(bytes[next..<end])
            if isZero != isHole {
                if !isHole { try write(bytes[start..<next], at: offset, from: bytes, to: file) }
                start = next
                isHole = isZero
            }
            next = end
        }
        if !isHole { try write(bytes[start...], at: offset, from: bytes, to: file) }
    }

    private static func write(
        _ part: ArraySlice<UInt8>, at offset: UInt64, from whole: ArraySlice<UInt8>,
        to file: Descriptor
    ) throws(DiskError) {
        let place = offset + UInt64(part.startIndex - whole.startIndex)
        var written = 0
        while written < part.count {
            let put = unsafe part.withUnsafeBytes { buffer in
                unsafe pwrite(
                    file.number, buffer.baseAddress?.advanced(by: written),
                    part.count - written, off_t(clamping: place) + off_t(written))
            }
            if put < 0 && errno == EINTR { continue }
            guard put >= 0 else { throw .last("pwrite") }
            written += put
        }
    }

    /// Copies a stretch of one file to the end of another, within the kernel where it can.
    static func copy(
        _ source: Descriptor, at offset: UInt64, count: UInt64, to file: Descriptor
    ) throws(DiskError) {
        var done: UInt64 = 0
        while done < count {
            let got = clinux_copy_range(
                source.number, Int64(clamping: offset + done), file.number,
                Int(clamping: count - done))
            if got > 0 {
                done += UInt64(got)
                continue
            }
            if got < 0 && errno == EINTR { continue }
            if got == 0 { throw DiskError(code: EIO, call: "copy_file_range") }
            guard errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP
            else { throw .last("copy_file_range") }
            let next = Int(min(count - done, 1 << 20))
            guard let bytes = try read(source, at: offset + done, count: next) else {
                throw DiskError(code: EIO, call: "pread")
            }
            try write(bytes[...], to: file)
            done += UInt64(next)
        }
    }

    static func isZero(_ bytes: ArraySlice<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress, buffer.count > 0 else { return true }
            // Each byte is the one before it, and the first is zero.
            return unsafe buffer[0] == 0 && memcmp(start, start + 1, buffer.count - 1) == 0
        }
    }

    static func setLength(_ length: UInt64, of file: Descriptor) throws(DiskError) {
        try check("ftruncate") { ftruncate(file.number, off_t(clamping: length)) }
    }

    /// The first byte from the offset on that is no hole; nil if all to the end is one, and also
    /// where the file system cannot tell, if the file ends before the offset.
    static func nextData(_ file: Descriptor, from offset: UInt64) -> UInt64? {
        let data = clinux_next_data(file.number, Int64(clamping: offset))
        if data >= 0 { return UInt64(data) }
        return errno == ENXIO ? nil : offset
    }

    /// Has the kernel begin to write the file out, so that a sync has less to wait for.
    static func beginWriting(_ file: Descriptor) { _ = clinux_begin_writing(file.number) }

    private static var block: Int { 4_096 }
}
