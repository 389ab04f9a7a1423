internal import CLinux
internal import Glibc
internal import SyncCore

/// Where a chunk's bytes are: in which pack, behind the head of their record.
struct ChunkPlace: Hashable, Sendable {
    let pack: UInt64
    /// Where the record begins.
    let start: UInt64
    let size: UInt32

    /// Where the next record begins.
    var end: UInt64 { start + ChunkPack.headSize + UInt64(size) }
}

/// A file of chunks that came one after the other, of one account: each a record of a head, which
/// says what it is, and the bytes.
///
/// A record is never changed, but for its head when it is dropped. Safe to use from any thread.
final class ChunkPack: Sendable {
    static let magic = Array("UBQPACK1".utf8)
    /// The magic and the account.
    static let firstRecord: UInt64 = 24
    /// What the record is, how many bytes it has, and their hash.
    static let headSize: UInt64 = 40
    private static let chunk = Array("CHNK".utf8)
    private static let dropped = Array("GONE".utf8)

    let number: UInt64
    private let path: String
    private let file: Int32

    /// Makes an empty one; its name is durable.
    init(
        making number: UInt64, in folder: String, of account: AccountID
    ) throws(StoreError) {
        self.number = number
        path = Self.path(number, in: folder)
        file = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FileSystem.failure("cannot make", path) }
        do throws(StoreError) {
            try write(Self.magic + account.bytes, at: 0)
            try FileSystem.syncFolder(folder)
        } catch {
            close(file)
            throw error
        }
    }

    /// Nil if there is none.
    init?(opening number: UInt64, in folder: String, isReadOnly: Bool) throws(StoreError) {
        self.number = number
        path = Self.path(number, in: folder)
        file = unsafe open(path, (isReadOnly ? O_RDONLY : O_RDWR) | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw FileSystem.failure("cannot open", path)
        }
    }

    deinit { close(file) }

    static func path(_ number: UInt64, in folder: String) -> String {
        "\(folder)/\(hexadecimal(withUnsafeBigEndian(number)))"
    }

    private static func withUnsafeBigEndian(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    // MARK: Records

    /// The bytes of a record.
    static func record(_ id: ChunkID, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var record: [UInt8] = []
        record.reserveCapacity(Int(headSize) + bytes.count)
        record += head(id, UInt32(bytes.count))
        record += bytes
        return record
    }

    private static func head(_ id: ChunkID, _ size: UInt32) -> [UInt8] {
        chunk + (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + id.bytes
    }

    /// What the head at a place says; nil if there is no record.
    func record(at start: UInt64) throws(StoreError) -> (id: ChunkID, size: UInt32, isThere: Bool)?
    {
        let head = try read(at: start, count: Int(Self.headSize))
        guard head.count == Int(Self.headSize), let id = ChunkID(bytes: head[8...]) else {
            return nil
        }
        let size = head[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        switch Array(head[..<4]) {
        case Self.chunk: return (id, size, true)
        case Self.dropped: return (id, size, false)
        default: return nil
        }
    }

    /// The bytes of a chunk, whatever has become of them; nil if another record is there, or the
    /// chunk was dropped.
    func bytes(of id: ChunkID, at place: ChunkPlace) throws(StoreError) -> [UInt8]? {
        let record = try read(at: place.start, count: Int(Self.headSize) + Int(place.size))
        guard record.count == Int(Self.headSize) + Int(place.size),
            record.starts(with: Self.head(id, place.size))
        else { return nil }
        return Array(record[Int(Self.headSize)...])
    }

    /// Marks a record and gives its room back to the disk, as far as that can.
    func drop(_ place: ChunkPlace) throws(StoreError) {
        try write(Self.dropped, at: place.start)
        // Only whole blocks are given back. Where none can be, all goes with the pack.
        let first = (place.start + Self.headSize + 4_095) / 4_096 * 4_096
        let end = place.end / 4_096 * 4_096
        if first < end { _ = clinux_give_back(file, Int64(first), Int64(end - first)) }
    }

    // MARK: The file

    var account: AccountID? {
        get throws(StoreError) {
            let head = try read(at: 0, count: Int(Self.firstRecord))
            guard head.starts(with: Self.magic) else { return nil }
            return AccountID(bytes: head[8...])
        }
    }

    func size() throws(StoreError) -> UInt64 {
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else {
            throw FileSystem.failure("cannot stat", path)
        }
        return UInt64(status.st_size)
    }

    func sync() throws(StoreError) {
        guard fdatasync(file) == 0 else { throw FileSystem.failure("cannot sync", path) }
    }

    func write(_ bytes: [UInt8], at start: UInt64) throws(StoreError) {
        var offset = 0
        while offset < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    file, buffer.baseAddress?.advanced(by: offset), bytes.count - offset,
                    off_t(start) + off_t(offset))
            }
            if written < 0 && errno == EINTR { continue }
            guard written >= 0 else { throw FileSystem.failure("cannot write", path) }
            offset += written
        }
    }

    /// Fewer bytes at the end of the file.
    private func read(at start: UInt64, count: Int) throws(StoreError) -> [UInt8] {
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = unsafe pread(
                    file, buffer.baseAddress?.advanced(by: filled), count - filled,
                    off_t(start) + off_t(filled))
                if got < 0 && errno == EINTR { continue }
                failed = got < 0
                if got <= 0 { break }
                filled += got
            }
        }
        if failed { throw FileSystem.failure("cannot read", path) }
        return bytes
    }
}
