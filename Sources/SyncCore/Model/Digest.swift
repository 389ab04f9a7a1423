/// A SHA-256 value.
package struct Digest: Hashable, Sendable {
    package let words: (UInt64, UInt64, UInt64, UInt64)

    package init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// The digest before the first entry of a log.
    package static var zero: Digest { Digest(words: (0, 0, 0, 0)) }

    /// Reads 32 bytes; nil for any other count.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        var words: [UInt64] = [0, 0, 0, 0]
        for (index, byte) in bytes.enumerated() {
            words[index / 8] = words[index / 8] << 8 | UInt64(byte)
        }
        self.init(words: (words[0], words[1], words[2], words[3]))
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        bytes.append(bigEndian: words.0)
        bytes.append(bigEndian: words.1)
        bytes.append(bigEndian: words.2)
        bytes.append(bigEndian: words.3)
        return bytes
    }

    package var text: String { hexadecimal(bytes) }

    package static func == (one: Digest, other: Digest) -> Bool { one.words == other.words }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }
}

/// The id of a chunk: the hash of the bytes that the server stores.
package typealias ChunkID = Digest

/// SHA-256, handed in: the core has no library to call.
package typealias HashFunction = @Sendable ([UInt8]) -> Digest
