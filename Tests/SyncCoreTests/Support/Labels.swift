import SyncCore

/// Tests name things by short words: `"note"` is an item, `"v1"` a version, `"p1"` a place.
///
/// The word's letters are the identifier's bytes, so that a failure shows the word.
extension Identifier: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(label: text) }

    init(label text: String) {
        var bytes = Array(text.utf8)
        precondition(bytes.count <= 16, "a label has at most 16 letters")
        bytes += Array(repeating: 0, count: 16 - bytes.count)
        guard let id = Identifier(bytes: bytes) else { preconditionFailure("16 bytes are an id") }
        self = id
    }

    /// The word, or the digits of an id that is none.
    var label: String {
        let letters = bytes.prefix { $0 != 0 }
        let isWord = letters.allSatisfy { (0x20...0x7E).contains($0) }
        return isWord ? String(decoding: letters, as: UTF8.self) : String(text.prefix(8))
    }

    /// The id of the same word for something else.
    func named<Other>(as other: Other.Type) -> Identifier<Other> {
        Identifier<Other>(high: high, low: low)
    }
}

extension Identifier: CustomStringConvertible {
    public var description: String { label }
}
