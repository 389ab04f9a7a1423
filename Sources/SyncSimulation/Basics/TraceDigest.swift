import SyncCore

/// A running digest of all that happened: two runs are the same if their digests are.
package struct TraceDigest: Hashable, Sendable {
    package private(set) var value: UInt64 = 0x6A09_E667_F3BC_C908

    package init() {}

    package mutating func add(_ number: UInt64) { value = mixed(rotated(value, by: 5) ^ number) }

    mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

    mutating func add(_ bytes: [UInt8]) {
        add(bytes.count)
        var word: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            word = word << 8 | UInt64(byte)
            if index % 8 == 7 {
                add(word)
                word = 0
            }
        }
        add(word)
    }

    /// Sixteen lower-case hexadecimal digits.
    package var text: String {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: value)
        return hexadecimal(bytes)
    }
}
