import Foundation

/// What an import did: everything that was read was imported or skipped.
struct ImportReport: Encodable {
    /// The notes that are in the folder of the notes now.
    private(set) var imported = 0
    /// Those of them that were there before, byte for byte.
    private(set) var unchanged = 0
    /// Files of other kinds that came with them.
    private(set) var attachments = 0
    private(set) var skipped: [Skipped] = []

    /// What was left out, and why.
    struct Skipped: Encodable {
        /// From the imported folder on.
        let source: String
        /// In base64, if the source is no UTF-8.
        let sourceBytes: String?
        let reason: String

        init(_ source: [UInt8], _ reason: String) {
            self.source = text(source)
            sourceBytes =
                String(validating: source, as: UTF8.self) == nil ? base64(source) : nil
            self.reason = reason
        }
    }

    private enum Key: String, CodingKey {
        case read
        case imported
        case unchanged
        case attachments
        case skipped
    }

    /// The notes, and whatever was skipped.
    var read: Int { imported + skipped.count }

    mutating func addNote(isNew: Bool) {
        imported += 1
        if !isNew { unchanged += 1 }
    }

    mutating func addAttachment() { attachments += 1 }

    mutating func skip(_ source: [UInt8], _ reason: String) {
        skipped.append(Skipped(source, reason))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(read, forKey: .read)
        try container.encode(imported, forKey: .imported)
        try container.encode(unchanged, forKey: .unchanged)
        try container.encode(attachments, forKey: .attachments)
        try container.encode(skipped, forKey: .skipped)
    }
}
