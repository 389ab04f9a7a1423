extension VersionFacts {
    /// The first byte of the layout; another one is another layout.
    private static var layout: UInt8 { 1 }
    private static var count: Int { 55 }

    /// The form that is sealed into ``Version/facts``: 55 bytes, numbers big-endian.
    ///
    /// Layout 1: 1, digest (32), size (8), mode (2), seconds (8, two's complement), nanoseconds
    /// (4).
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(VersionFacts.count)
        bytes.append(VersionFacts.layout)
        bytes.append(contentsOf: digest.bytes)
        bytes.append(bigEndian: size)
        bytes.append(UInt8(truncatingIfNeeded: mode >> 8))
        bytes.append(UInt8(truncatingIfNeeded: mode))
        bytes.append(bigEndian: UInt64(bitPattern: modified.seconds))
        for shift: UInt32 in [24, 16, 8, 0] {
            bytes.append(UInt8(truncatingIfNeeded: modified.nanoseconds >> shift))
        }
        return bytes
    }

    /// Reads ``bytes``; nil for another layout, too few bytes, or nanoseconds of a second or more.
    ///
    /// What follows the 55 bytes was added by a later version and is skipped.
    package init?(bytes: [UInt8]) {
        guard bytes.count >= VersionFacts.count, bytes[0] == VersionFacts.layout else { return nil }
        guard let digest = Digest(bytes: bytes[1..<33]) else { return nil }
        let nanoseconds = number(bytes[51..<55])
        guard nanoseconds < 1_000_000_000 else { return nil }
        self.init(
            digest: digest,
            size: number(bytes[33..<41]),
            mode: UInt16(number(bytes[41..<43])),
            modified: FileTime(
                seconds: Int64(bitPattern: number(bytes[43..<51])),
                nanoseconds: UInt32(nanoseconds)))
    }
}

private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
}
