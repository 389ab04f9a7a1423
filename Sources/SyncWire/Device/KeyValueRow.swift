/// A key and its value, in a store that the request names.
package struct KeyValueRow: Hashable, Sendable {
    package var key: [UInt8]
    package var value: [UInt8]

    package init(key: [UInt8], value: [UInt8]) {
        self.key = key
        self.value = value
    }
}

extension KeyValueRow: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, key)
        writer.field(2, value)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var key: [UInt8]?
        var value: [UInt8]?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: key = try field.bytes()
            case 2: value = try field.bytes()
            default: break
            }
        }
        self.init(key: try reader.required(key, 1), value: try reader.required(value, 2))
    }
}
