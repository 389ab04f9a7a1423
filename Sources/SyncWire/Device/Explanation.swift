package import SyncCore

/// Why an item is as it is: the answer to `why`.
package struct Explanation: Hashable, Sendable {
    package var path: [UInt8]
    /// A word for programs: `current`, `uploading`, `ignored`, or a code as in ``StuckRow/code``.
    package var code: String
    /// For people, one a line.
    package var sentences: [String]
    /// The item, if it is one: an ignored name is none.
    package var item: ItemRow?
    /// The next attempt, if one is due.
    package var next: WallTime?

    package init(
        path: [UInt8], code: String, sentences: [String], item: ItemRow?, next: WallTime?
    ) {
        self.path = path
        self.code = code
        self.sentences = sentences
        self.item = item
        self.next = next
    }
}

extension Explanation: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, path)
        writer.field(2, text: code)
        for sentence in sentences { writer.field(3, text: sentence) }
        writer.field(4, item)
        if let next { writer.field(5, signed: next.milliseconds) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var path: [UInt8]?
        var code = ""
        var sentences: [String] = []
        var item: ItemRow?
        var next: WallTime?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: path = try field.bytes()
            case 2: code = try field.text()
            case 3: sentences.append(try field.text())
            case 4: item = try field.structure()
            case 5: next = WallTime(milliseconds: try field.signed())
            default: break
            }
        }
        self.init(
            path: try reader.required(path, 1), code: code, sentences: sentences, item: item,
            next: next)
    }
}
