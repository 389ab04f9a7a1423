/// Bytes that a core is given, and those that it must answer with.
///
/// A file of them is a row of records: a byte for the question, the bytes that go in behind their
/// count in four bytes (most significant first), and what comes out in the same way.
package struct Vector: Hashable, Sendable {
    package let question: Question
    package let input: [UInt8]
    package let output: [UInt8]

    package enum Question: UInt8, Hashable, Sendable, CaseIterable {
        /// A `MergeQuestion`, answered with a `MergeAnswer`.
        case merge = 1
        /// The SHA-256 of bytes.
        case hash = 2
        /// A `ReplicaOrigin`: a new device, which the inputs that follow go to.
        case start = 3
        /// A `ReplicaInput`, answered with a `ReplicaOutput`.
        case receive = 4
        /// A byte that names a kind of message, and the message: it is read and written again. What
        /// cannot be read is answered with nothing.
        case rewrite = 5
    }

    package init(_ question: Question, _ input: [UInt8], _ output: [UInt8]) {
        self.question = question
        self.input = input
        self.output = output
    }

    package func append(to bytes: inout [UInt8]) {
        bytes.append(question.rawValue)
        for part in [input, output] {
            for shift in [24, 16, 8, 0] as [UInt32] {
                bytes.append(UInt8(truncatingIfNeeded: UInt32(part.count) >> shift))
            }
            bytes.append(contentsOf: part)
        }
    }
}

/// Reads a file of vectors.
package struct VectorReader {
    private let bytes: [UInt8]
    private var offset = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next vector; nil at the end, and where the file is damaged.
    package mutating func next() -> Vector? {
        guard offset < bytes.count, let question = Vector.Question(rawValue: bytes[offset]) else {
            return nil
        }
        offset += 1
        guard let input = part(), let output = part() else { return nil }
        return Vector(question, input, output)
    }

    package var isAtEnd: Bool { offset == bytes.count }

    private mutating func part() -> [UInt8]? {
        guard bytes.count - offset >= 4 else { return nil }
        let count = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        offset += 4
        guard bytes.count - offset >= count else { return nil }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }
}
