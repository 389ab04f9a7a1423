/// What can be written as fields and read back, by this version and by later and earlier ones.
///
/// A field is never given another meaning and its number is never used again. Fields that a reader
/// does not know are skipped; a field that was added later is optional. A case that a reader does
/// not know is a ``WireError/Problem/unknownCase(field:)``, because leaving out an effect or an
/// operation would be worse than saying that an update is needed.
package protocol WireStructure {
    func write(to writer: inout ByteWriter)
    /// Reads all that is left in the reader.
    init(from reader: inout ByteReader) throws(WireError)
}

extension WireStructure {
    /// The fields alone, for rows that carry their version elsewhere and for hashing.
    package func encoded() -> [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Reads what ``encoded()`` gave, in this or another version.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = ByteReader(bytes)
        try self.init(from: &reader)
    }
}

/// A structure that travels by itself: its fields behind a byte that names the format.
package protocol WireMessage: WireStructure {}

/// The first byte of every message; another one is another format altogether.
private let formatVersion: UInt8 = 1

extension WireMessage {
    package func message() -> [UInt8] {
        var writer = ByteWriter()
        writer.append(formatVersion)
        write(to: &writer)
        return writer.bytes
    }

    package init(message bytes: [UInt8]) throws(WireError) {
        var reader = ByteReader(bytes)
        let version = try reader.byte()
        guard version == formatVersion else {
            throw WireError(offset: 0, problem: .unsupportedVersion(version))
        }
        try self.init(from: &reader)
    }
}
