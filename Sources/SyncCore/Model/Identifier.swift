/// A name of 128 bits that is given once and never recomputed.
///
/// The phantom parameter keeps names of different things apart.
package struct Identifier<Subject>: Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Takes the first 16 bytes of a digest.
    package init(_ digest: Digest) {
        self.init(high: digest.words.0, low: digest.words.1)
    }
}

extension Identifier: Hashable, Comparable {
    package static func < (one: Self, other: Self) -> Bool {
        (one.high, one.low) < (other.high, other.low)
    }
}

extension Identifier {
    /// The 16 bytes, most significant first.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
        return bytes
    }

    /// Reads 16 bytes, most significant first; nil for any other count.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        for byte in bytes.prefix(8) { words.0 = words.0 << 8 | UInt64(byte) }
        for byte in bytes.dropFirst(8) { words.1 = words.1 << 8 | UInt64(byte) }
        self.init(high: words.0, low: words.1)
    }

    /// The 32 lower-case hexadecimal digits that people and JSON see.
    package var text: String { hexadecimal(bytes) }

    /// Reads what ``text`` gave; nil for anything else.
    package init?(text: String) {
        guard let bytes = decodeHexadecimal(text) else { return nil }
        self.init(bytes: bytes)
    }
}

package enum ItemSubject {}
package enum VersionSubject {}
package enum PlaceSubject {}
package enum DeviceSubject {}
package enum AccountSubject {}
package enum TagSubject {}
package enum WriteSubject {}

/// A file, folder, package or link, for ever.
package typealias ItemID = Identifier<ItemSubject>
/// One content of an item.
package typealias VersionID = Identifier<VersionSubject>
/// One placing of an item under a folder and name.
package typealias PlaceID = Identifier<PlaceSubject>
package typealias DeviceID = Identifier<DeviceSubject>
package typealias AccountID = Identifier<AccountSubject>
/// A keyed hash of a name or key: the server compares it and learns nothing else.
package typealias Tag = Identifier<TagSubject>
/// One write of a key-value register.
package typealias WriteID = Identifier<WriteSubject>

extension Identifier where Subject == ItemSubject {
    /// The folder that holds the containers; it has no place itself.
    package static var top: ItemID { ItemID(high: 0, low: 0) }
}

/// A device's life between two restores of its state: operations are numbered within one.
package struct Incarnation: Hashable, Comparable, Sendable {
    package let value: UInt64

    package init(_ value: UInt64) { self.value = value }

    package static func < (one: Self, other: Self) -> Bool { one.value < other.value }
}
