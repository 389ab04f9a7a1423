package import SyncCore

extension Moment: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, signed: steady.nanoseconds)
        writer.field(2, signed: wall.milliseconds)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let fields = try FieldTable(&reader)
        self.init(
            steady: Instant(nanoseconds: try fields.one(1).signed()),
            wall: WallTime(milliseconds: try fields.one(2).signed()))
    }
}

/// Each name is a field of its own.
extension LocalPath: WireStructure {
    package func write(to writer: inout ByteWriter) {
        for name in names { writer.field(1, name.bytes) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var names: [Name] = []
        while let field = try reader.nextField() {
            guard field.number == 1 else { continue }
            names.append(try field.name())
        }
        self.init(names: names)
    }
}

extension DiskEntry: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, UInt64(kind.rawValue))
        writer.field(2, stamp)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let fields = try FieldTable(&reader)
        self.init(kind: try fields.one(1).choice(), stamp: try fields.one(2).structure())
    }
}

extension Sighting: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, slot)
        writer.field(2, entry)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let fields = try FieldTable(&reader)
        self.init(
            slot: try fields.one(1).structure(), entry: try fields.structure(ifPresent: 2))
    }
}
