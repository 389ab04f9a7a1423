/// A file name as Linux sees it: bytes, never text.
///
/// Swift Strings that are canonically equivalent are equal, so that a dictionary keyed by String
/// would take two files for one.
package struct Name: Hashable, Sendable {
    package let bytes: [UInt8]

    /// The most bytes that a Linux file system takes.
    package static var maximumCount: Int { 255 }

    /// Nil for what no directory entry can be: empty, `.`, `..`, over 255 bytes, with `/` or NUL.
    package init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= Name.maximumCount else { return nil }
        guard !bytes.contains(0x2F), !bytes.contains(0) else { return nil }
        guard bytes != [0x2E], bytes != [0x2E, 0x2E] else { return nil }
        self.bytes = bytes
    }

    package init?(_ text: String) { self.init(Array(text.utf8)) }

    /// For people: bytes that are not UTF-8 become replacement characters.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension Name: Comparable {
    package static func < (one: Name, other: Name) -> Bool {
        // Written out: paths and folders are sorted all the time.
        let (first, second) = (one.bytes, other.bytes)
        var index = 0
        while index < first.count, index < second.count {
            if first[index] != second[index] { return first[index] < second[index] }
            index += 1
        }
        return first.count < second.count
    }
}
