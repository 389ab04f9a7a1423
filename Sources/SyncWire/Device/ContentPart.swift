package import SyncCore

/// A stretch of a content.
package struct ContentPart: Hashable, Sendable {
    /// From the offset that was asked for; at most ``mostBytes``, and none only at the end.
    package var bytes: [UInt8]
    /// The count of the whole content.
    package var size: UInt64
    /// Whose content it is; nil for a file that is not yet a version.
    ///
    /// The next stretch is asked for by it, so that the stretches belong together.
    package var version: VersionID?

    package typealias VersionID = SyncCore.VersionID

    /// The most bytes of one stretch.
    package static var mostBytes: Int { 1 << 20 }

    package init(bytes: [UInt8], size: UInt64, version: VersionID?) {
        self.bytes = bytes
        self.size = size
        self.version = version
    }
}

extension ContentPart: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, bytes)
        writer.field(2, size)
        writer.field(3, version)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var bytes: [UInt8]?
        var size: UInt64?
        var version: VersionID?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: bytes = try field.bytes()
            case 2: size = try field.unsigned()
            case 3: version = try field.identifier()
            default: break
            }
        }
        self.init(
            bytes: try reader.required(bytes, 1), size: try reader.required(size, 2),
            version: version)
    }
}
