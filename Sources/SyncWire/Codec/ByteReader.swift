package import SyncCore

/// Reads a structure's fields; every count is checked against what is there before use.
package struct ByteReader: Sendable {
    private let bytes: [UInt8]
    /// Of the next byte, from the first that was handed in.
    package private(set) var offset: Int
    private let end: Int

    package init(_ bytes: [UInt8]) {
        self.init(bytes, from: 0, to: bytes.count)
    }

    private init(_ bytes: [UInt8], from offset: Int, to end: Int) {
        self.bytes = bytes
        self.offset = offset
        self.end = end
    }

    package var remaining: Int { end - offset }
    package var isAtEnd: Bool { offset == end }

    package mutating func byte() throws(WireError) -> UInt8 {
        guard offset < end else { throw WireError(offset: offset, problem: .truncated) }
        defer { offset += 1 }
        return bytes[offset]
    }

    package mutating func varint() throws(WireError) -> UInt64 {
        let start = offset
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let next = try byte()
            let bits = UInt64(next & 0x7F)
            // The tenth byte has room for one bit.
            guard shift < 63 || (shift == 63 && bits <= 1) else {
                throw WireError(offset: start, problem: .overlongNumber)
            }
            value |= bits << shift
            if next < 0x80 { return value }
            shift += 7
        }
    }

    /// The next field; nil at the end.
    package mutating func nextField() throws(WireError) -> WireField? {
        guard !isAtEnd else { return nil }
        let start = offset
        let tag = try varint()
        let number = tag >> 1
        guard tag & 1 == 1 else {
            return WireField(number: number, offset: start, value: .number(try varint()))
        }
        let count = try varint()
        guard count <= UInt64(remaining) else {
            throw WireError(offset: offset, problem: .truncated)
        }
        let inside = ByteReader(bytes, from: offset, to: offset + Int(count))
        offset += Int(count)
        return WireField(number: number, offset: start, value: .bytes(inside))
    }

    /// Eight bytes, most significant first.
    package mutating func bigEndian() throws(WireError) -> UInt64 {
        guard remaining >= 8 else { throw WireError(offset: offset, problem: .truncated) }
        var value: UInt64 = 0
        for index in offset..<offset + 8 { value = value << 8 | UInt64(bytes[index]) }
        offset += 8
        return value
    }

    package mutating func digest() throws(WireError) -> Digest {
        Digest(words: (try bigEndian(), try bigEndian(), try bigEndian(), try bigEndian()))
    }

    /// Passes over fields that a later version added; they must be whole.
    package mutating func skipRest() throws(WireError) {
        while try nextField() != nil {}
    }

    /// Everything that is left.
    package mutating func rest() -> [UInt8] {
        defer { offset = end }
        return Array(bytes[offset..<end])
    }

    /// The number of a structure's field, and what is in it if it was there.
    package func required<Value>(_ value: Value?, _ number: UInt64) throws(WireError) -> Value {
        guard let value else { throw WireError(offset: offset, problem: .missing(field: number)) }
        return value
    }
}
