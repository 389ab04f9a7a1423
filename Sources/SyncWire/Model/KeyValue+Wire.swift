package import SyncCore

extension RegisterKey: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, store)
        writer.field(2, key)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var store: Tag?
        var key: Tag?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: store = try field.identifier()
            case 2: key = try field.identifier()
            default: break
            }
        }
        self.init(store: try reader.required(store, 1), key: try reader.required(key, 2))
    }
}

extension KeyValueWrite: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, id)
        writer.field(2, register)
        writer.field(3, name)
        writer.field(4, value)
        writer.field(5, replaces)
        writer.field(6, beforeFirstPull)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var id: WriteID?
        var register: RegisterKey?
        var name: [UInt8]?
        var value: [UInt8]?
        var replaces: WriteID?
        var beforeFirstPull = false
        while let field = try reader.nextField() {
            switch field.number {
            case 1: id = try field.identifier()
            case 2: register = try field.structure()
            case 3: name = try field.bytes()
            case 4: value = try field.bytes()
            case 5: replaces = try field.identifier()
            case 6: beforeFirstPull = try field.bool()
            default: break
            }
        }
        self.init(
            id: try reader.required(id, 1), register: try reader.required(register, 2),
            name: try reader.required(name, 3), value: value, replaces: replaces,
            beforeFirstPull: beforeFirstPull)
    }
}

extension RegisterState: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, register)
        writer.field(2, name)
        writer.field(3, self.write)
        writer.field(4, value)
        writer.field(5, signed: stamp.milliseconds)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var register: RegisterKey?
        var name: [UInt8]?
        var write: WriteID?
        var value: [UInt8]?
        var stamp: Int64?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: register = try field.structure()
            case 2: name = try field.bytes()
            case 3: write = try field.identifier()
            case 4: value = try field.bytes()
            case 5: stamp = try field.signed()
            default: break
            }
        }
        self.init(
            register: try reader.required(register, 1), name: try reader.required(name, 2),
            write: try reader.required(write, 3), value: value,
            stamp: WallTime(milliseconds: try reader.required(stamp, 5)))
    }
}
