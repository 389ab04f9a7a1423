import SyncCore

/// All fields of a structure, to be asked for by number: for cases of a few fields each.
struct FieldTable {
    private var fields: [WireField] = []
    private let end: ByteReader

    init(_ field: WireField) throws(WireError) {
        var reader = try field.inside()
        try self.init(&reader)
    }

    /// Reads all that is left in the reader.
    init(_ reader: inout ByteReader) throws(WireError) {
        while let field = try reader.nextField() { fields.append(field) }
        end = reader
    }

    /// Of several the last.
    func maybe(_ number: UInt64) -> WireField? { fields.last { $0.number == number } }

    func one(_ number: UInt64) throws(WireError) -> WireField {
        try end.required(maybe(number), number)
    }

    /// Left out if false.
    func isSet(_ number: UInt64) throws(WireError) -> Bool {
        guard let field = maybe(number) else { return false }
        return try field.bool()
    }

    func structures<Value: WireStructure>(
        _ number: UInt64, _ type: Value.Type = Value.self
    ) throws(WireError) -> [Value] {
        var values: [Value] = []
        for field in fields where field.number == number { values.append(try field.structure()) }
        return values
    }

    /// Left out if nil.
    func structure<Value: WireStructure>(
        ifPresent number: UInt64, _ type: Value.Type = Value.self
    ) throws(WireError) -> Value? {
        guard let field = maybe(number) else { return nil }
        return try field.structure()
    }

    func bytes(ifPresent number: UInt64) throws(WireError) -> [UInt8]? {
        guard let field = maybe(number) else { return nil }
        return try field.bytes()
    }
}

extension ByteReader {
    /// The one field of a structure that is one of several cases.
    mutating func onlyCase() throws(WireError) -> WireField {
        guard let field = try nextField() else {
            throw WireError(offset: offset, problem: .truncated)
        }
        try skipRest()
        return field
    }
}

extension WireField {
    func name() throws(WireError) -> Name {
        guard let name = Name(try bytes()) else { throw wrongBytes }
        return name
    }
}
