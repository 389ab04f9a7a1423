package import SyncCore

/// Builds a structure's bytes: fields of a number and a value, in the order written.
///
/// The same values give the same bytes in every version of the program: an operation is known
/// again by the hash of its bytes.
package struct ByteWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(reserving count: Int = 0) {
        bytes.reserveCapacity(count)
    }

    // MARK: Without a field number

    package mutating func append(_ byte: UInt8) { bytes.append(byte) }

    package mutating func append(contentsOf more: [UInt8]) { bytes.append(contentsOf: more) }

    /// Seven bits a byte, least significant first; the high bit says that more follow.
    package mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    // MARK: Fields

    package mutating func field(_ number: UInt64, _ value: UInt64) {
        append(varint: number << 1)
        append(varint: value)
    }

    /// Left out if nil.
    package mutating func field(_ number: UInt64, _ value: UInt64?) {
        guard let value else { return }
        field(number, value)
    }

    /// Small for small magnitudes: 0, -1, 1, -2 are written as 0, 1, 2, 3.
    package mutating func field(_ number: UInt64, signed value: Int64) {
        field(number, UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    /// Left out if false.
    package mutating func field(_ number: UInt64, _ value: Bool) {
        if value { field(number, 1 as UInt64) }
    }

    package mutating func field(_ number: UInt64, _ value: [UInt8]) {
        append(varint: number << 1 | 1)
        append(varint: UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    /// Left out if nil; empty bytes are written.
    package mutating func field(_ number: UInt64, _ value: [UInt8]?) {
        guard let value else { return }
        field(number, value)
    }

    package mutating func field(_ number: UInt64, text: String) {
        field(number, Array(text.utf8))
    }

    package mutating func field(_ number: UInt64, text: String?) {
        guard let text else { return }
        field(number, text: text)
    }

    package mutating func field<Subject>(_ number: UInt64, _ value: Identifier<Subject>) {
        append(varint: number << 1 | 1)
        append(varint: 16)
        bytes.append(bigEndian: value.high)
        bytes.append(bigEndian: value.low)
    }

    /// Left out if nil.
    package mutating func field<Subject>(_ number: UInt64, _ value: Identifier<Subject>?) {
        guard let value else { return }
        field(number, value)
    }

    /// One field for all of them, 16 bytes each; left out if there is none.
    package mutating func field<Subject>(_ number: UInt64, _ values: [Identifier<Subject>]) {
        guard !values.isEmpty else { return }
        append(varint: number << 1 | 1)
        append(varint: UInt64(values.count) * 16)
        for value in values {
            bytes.append(bigEndian: value.high)
            bytes.append(bigEndian: value.low)
        }
    }

    package mutating func field(_ number: UInt64, _ value: Digest) {
        append(varint: number << 1 | 1)
        append(varint: 32)
        appendWords(of: value)
    }

    /// One field for all of them, 32 bytes each; left out if there is none.
    package mutating func field(_ number: UInt64, _ values: [Digest]) {
        guard !values.isEmpty else { return }
        append(varint: number << 1 | 1)
        append(varint: UInt64(values.count) * 32)
        for value in values { appendWords(of: value) }
    }

    private mutating func appendWords(of digest: Digest) {
        bytes.append(bigEndian: digest.words.0)
        bytes.append(bigEndian: digest.words.1)
        bytes.append(bigEndian: digest.words.2)
        bytes.append(bigEndian: digest.words.3)
    }

    // MARK: Structures

    package mutating func field<Value: WireStructure>(_ number: UInt64, _ value: Value) {
        structure(number) { value.write(to: &$0) }
    }

    /// Left out if nil.
    package mutating func field<Value: WireStructure>(_ number: UInt64, _ value: Value?) {
        guard let value else { return }
        field(number, value)
    }

    /// One field a value, all with the same number.
    package mutating func field<Value: WireStructure>(_ number: UInt64, _ values: [Value]) {
        for value in values { field(number, value) }
    }

    /// A structure of its own: the fields that the closure writes.
    package mutating func structure(_ number: UInt64, _ write: (inout ByteWriter) -> Void) {
        append(varint: number << 1 | 1)
        let start = bytes.count
        // Most structures are short: one byte holds the count, and a longer one moves them.
        bytes.append(0)
        write(&self)
        let length = bytes.count - start - 1
        guard length >= 0x80 else {
            bytes[start] = UInt8(length)
            return
        }
        var count = ByteWriter()
        count.append(varint: UInt64(length))
        bytes[start] = count.bytes[0]
        bytes.insert(contentsOf: count.bytes[1...], at: start + 1)
    }
}
