import SyncCore
import SyncWire

extension ByteWriter {
    /// Seconds and nanoseconds, 12 bytes, most significant first.
    mutating func field(_ number: UInt64, time: FileTime) {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(bitPattern: time.seconds))
        bytes.append(bigEndian: UInt64(time.nanoseconds))
        field(number, Array(bytes[..<8] + bytes[12...]))
    }

    /// Left out if nil.
    mutating func field(_ number: UInt64, moment: WallTime?) {
        guard let moment else { return }
        field(number, signed: moment.milliseconds)
    }

    /// Left out if there is none.
    mutating func field(_ number: UInt64, chunks: [ChunkReference]) {
        guard !chunks.isEmpty else { return }
        field(number, StoredContent.chunks(chunks))
    }
}

extension WireField {
    func time() throws(WireError) -> FileTime {
        var reader = try inside()
        guard reader.remaining == 12 else { throw wrongBytes }
        let seconds = Int64(bitPattern: try reader.bigEndian())
        var nanoseconds: UInt32 = 0
        for _ in 0..<4 { nanoseconds = nanoseconds << 8 | UInt32(try reader.byte()) }
        return FileTime(seconds: seconds, nanoseconds: nanoseconds)
    }

    func chunks() throws(WireError) -> [ChunkReference] {
        guard case .chunks(let chunks) = try structure(StoredContent.self) else {
            throw wrongBytes
        }
        return chunks
    }

    func facts() throws(WireError) -> VersionFacts {
        guard let facts = VersionFacts(bytes: try bytes()) else { throw wrongBytes }
        return facts
    }

    func name() throws(WireError) -> Name {
        guard let name = Name(try bytes()) else { throw wrongBytes }
        return name
    }
}
