package import SyncCore

/// One field as it was read: a number, and a value to be taken as what its reader expects.
package struct WireField: Sendable {
    package let number: UInt64
    private let offset: Int
    private let value: Value

    package enum Value: Sendable {
        case number(UInt64)
        case bytes(ByteReader)
    }

    init(number: UInt64, offset: Int, value: Value) {
        self.number = number
        self.offset = offset
        self.value = value
    }

    // MARK: Numbers

    package func unsigned() throws(WireError) -> UInt64 {
        guard case .number(let number) = value else { throw wrongType }
        return number
    }

    package func integer<Value: FixedWidthInteger>(
        _ type: Value.Type = Value.self
    ) throws(WireError) -> Value {
        guard let value = Value(exactly: try unsigned()) else { throw outOfRange }
        return value
    }

    package func signed() throws(WireError) -> Int64 {
        let number = try unsigned()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    package func bool() throws(WireError) -> Bool { try unsigned() != 0 }

    /// A case by its raw value.
    package func choice<Value: RawRepresentable<UInt8>>(
        _ type: Value.Type = Value.self
    ) throws(WireError) -> Value {
        guard let raw = UInt8(exactly: try unsigned()), let value = Value(rawValue: raw) else {
            throw unknownCase
        }
        return value
    }

    // MARK: Bytes

    /// A reader of the field's bytes.
    package func inside() throws(WireError) -> ByteReader {
        guard case .bytes(let reader) = value else { throw wrongType }
        return reader
    }

    package func bytes() throws(WireError) -> [UInt8] {
        var reader = try inside()
        return reader.rest()
    }

    /// What is not UTF-8 becomes replacement characters.
    package func text() throws(WireError) -> String {
        String(decoding: try bytes(), as: UTF8.self)
    }

    package func identifier<Subject>(
        _ type: Identifier<Subject>.Type = Identifier<Subject>.self
    ) throws(WireError) -> Identifier<Subject> {
        var reader = try inside()
        guard reader.remaining == 16 else { throw wrongBytes }
        return Identifier(high: try reader.bigEndian(), low: try reader.bigEndian())
    }

    package func identifiers<Subject>(
        _ type: Identifier<Subject>.Type = Identifier<Subject>.self
    ) throws(WireError) -> [Identifier<Subject>] {
        var reader = try inside()
        guard reader.remaining % 16 == 0 else { throw wrongBytes }
        var values: [Identifier<Subject>] = []
        values.reserveCapacity(reader.remaining / 16)
        while !reader.isAtEnd {
            values.append(Identifier(high: try reader.bigEndian(), low: try reader.bigEndian()))
        }
        return values
    }

    package func digest() throws(WireError) -> Digest {
        var reader = try inside()
        guard reader.remaining == 32 else { throw wrongBytes }
        return try reader.digest()
    }

    package func digests() throws(WireError) -> [Digest] {
        var reader = try inside()
        guard reader.remaining % 32 == 0 else { throw wrongBytes }
        var values: [Digest] = []
        values.reserveCapacity(reader.remaining / 32)
        while !reader.isAtEnd { values.append(try reader.digest()) }
        return values
    }

    package func structure<Value: WireStructure>(
        _ type: Value.Type = Value.self
    ) throws(WireError) -> Value {
        var reader = try inside()
        return try Value(from: &reader)
    }

    // MARK: Complaints

    package var wrongType: WireError {
        WireError(offset: offset, problem: .wrongType(field: number))
    }

    package var wrongBytes: WireError {
        WireError(offset: offset, problem: .wrongBytes(field: number))
    }

    package var outOfRange: WireError {
        WireError(offset: offset, problem: .numberOutOfRange(field: number))
    }

    package var unknownCase: WireError {
        WireError(offset: offset, problem: .unknownCase(field: number))
    }
}
