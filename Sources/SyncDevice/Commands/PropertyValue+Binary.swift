/// The binary form of property lists, in which apps' values are stored.
///
/// Offsets are from the first byte and numbers have their most significant byte first. An object is
/// a byte whose upper half is its type and whose lower half is its count, or 15 and then an integer
/// that is the count. Containers name their parts by index; a table at the end says where each is.
extension PropertyValue {
    private static var magic: [UInt8] { Array("bplist00".utf8) }
    private static var trailerSize: Int { 32 }

    // MARK: Writing

    /// A property list of a text or data alone.
    static func encoded(_ typed: [UInt8]) -> [UInt8] {
        let object: [UInt8]
        switch PropertyValue(typed: typed) {
        case .text(let text) where text.utf8.allSatisfy({ $0 < 0x80 }):
            object = head(0x50, text.utf8.count) + Array(text.utf8)
        case .text(let text):
            let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            object = head(0x60, units.count / 2) + units
        default: object = head(0x40, typed.count) + typed
        }
        let table = UInt64(magic.count + object.count)
        // Readers want offsets of a size that the table's own would fit into.
        let offset = shortest(table).size
        let trailer: [UInt8] =
            [0, 0, 0, 0, 0, 0, UInt8(offset), 1] + bytes(1, 8) + bytes(0, 8) + bytes(table, 8)
        return magic + object + bytes(UInt64(magic.count), offset) + trailer
    }

    private static func head(_ type: UInt8, _ count: Int) -> [UInt8] {
        if count < 15 { return [type | UInt8(count)] }
        let (size, exponent) = shortest(UInt64(count))
        return [type | 15, 0x10 | exponent] + bytes(UInt64(count), size)
    }

    /// The least number of bytes, a power of two, for a number.
    private static func shortest(_ number: UInt64) -> (size: Int, exponent: UInt8) {
        switch number {
        case ...0xFF: (1, 0)
        case ...0xFFFF: (2, 1)
        case ...0xFFFF_FFFF: (4, 2)
        default: (8, 3)
        }
    }

    private static func bytes(_ number: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (size - 1 - $0))) }
    }

    // MARK: Reading

    /// Nil for bytes that are no binary property list.
    init?(binary bytes: [UInt8]) {
        guard bytes.starts(with: PropertyValue.magic),
            bytes.count >= PropertyValue.magic.count + PropertyValue.trailerSize
        else { return nil }
        let trailer = bytes.count - PropertyValue.trailerSize
        let file = BinaryPropertyList(
            bytes: bytes[..<trailer], offsetSize: Int(bytes[trailer + 6]),
            indexSize: Int(bytes[trailer + 7]),
            count: Int(clamping: bytes[(trailer + 8)..<(trailer + 16)].number),
            table: Int(clamping: bytes[(trailer + 24)..<(trailer + 32)].number))
        let top = Int(clamping: bytes[(trailer + 16)..<(trailer + 24)].number)
        // Parts may be shared: without a limit a small file could become a huge value.
        var left = 100_000
        guard let value = file.value(top, depth: 0, left: &left) else { return nil }
        self = value
    }
}

private struct BinaryPropertyList {
    /// All before the trailer.
    let bytes: ArraySlice<UInt8>
    let offsetSize: Int
    let indexSize: Int
    let count: Int
    let table: Int

    private static var mostDepth: Int { 128 }

    func value(_ index: Int, depth: Int, left: inout Int) -> PropertyValue? {
        left -= 1
        guard left >= 0, depth < BinaryPropertyList.mostDepth, let start = offset(of: index),
            let marker = slice(start, 1)?.first
        else { return nil }
        let low = Int(marker & 15)
        switch marker {
        case 0x08: return .bool(false)
        case 0x09: return .bool(true)
        case 0x10...0x14: return integer(start).map { .integer($0.value) }
        case 0x22, 0x23: return real(start + 1, 1 << low).map { .real($0) }
        case 0x33: return real(start + 1, 8).map { .date($0) }
        case 0x40...0x4F: return body(start, 1).map { .data(Array($0)) }
        case 0x50...0x5F, 0x70...0x7F:
            return body(start, 1).map { .text(String(decoding: $0, as: UTF8.self)) }
        case 0x60...0x6F: return body(start, 2).map { .text(BinaryPropertyList.utf16($0)) }
        case 0xA0...0xAF, 0xC0...0xCF: return list(start, depth, &left)
        case 0xD0...0xDF: return dictionary(start, depth, &left)
        default: return nil
        }
    }

    private func list(_ start: Int, _ depth: Int, _ left: inout Int) -> PropertyValue? {
        guard let parts = body(start, indexSize) else { return nil }
        guard let values = values(parts, depth, &left) else { return nil }
        return .list(values)
    }

    private func dictionary(_ start: Int, _ depth: Int, _ left: inout Int) -> PropertyValue? {
        guard let parts = body(start, 2 * indexSize),
            let both = values(parts, depth, &left)
        else { return nil }
        var members: [PropertyMember] = []
        for (key, value) in zip(both[..<(both.count / 2)], both[(both.count / 2)...]) {
            guard case .text(let key) = key else { return nil }
            members.append(PropertyMember(key: key, value: value))
        }
        return .dictionary(members)
    }

    private func values(
        _ parts: ArraySlice<UInt8>, _ depth: Int, _ left: inout Int
    ) -> [PropertyValue]? {
        guard (1...8).contains(indexSize) else { return nil }
        var values: [PropertyValue] = []
        for start in stride(from: parts.startIndex, to: parts.endIndex, by: indexSize) {
            let index = Int(clamping: parts[start..<(start + indexSize)].number)
            guard let value = value(index, depth: depth + 1, left: &left) else { return nil }
            values.append(value)
        }
        return values
    }

    // MARK: Parts

    private func slice(_ start: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard start >= 0, count >= 0, start <= bytes.count, count <= bytes.count - start else {
            return nil
        }
        return bytes[start..<(start + count)]
    }

    private func offset(of index: Int) -> Int? {
        guard index < count, (1...8).contains(offsetSize), index <= bytes.count,
            table <= bytes.count
        else { return nil }
        return slice(table + index * offsetSize, offsetSize).map { Int(clamping: $0.number) }
    }

    /// The integer at an offset, and where it ends; up to 8 bytes are as they are, from 8 on they
    /// have a sign.
    private func integer(_ start: Int) -> (value: Int128, end: Int)? {
        guard let marker = slice(start, 1)?.first, marker & 0xF0 == 0x10, marker & 15 <= 4 else {
            return nil
        }
        let count = 1 << Int(marker & 15)
        guard let bytes = slice(start + 1, count) else { return nil }
        var value: UInt128 = 0
        for byte in bytes { value = value << 8 | UInt128(byte) }
        let signed =
            count == 8
            ? Int128(Int64(truncatingIfNeeded: value)) : Int128(truncatingIfNeeded: value)
        return (signed, start + 1 + count)
    }

    private func real(_ start: Int, _ count: Int) -> Double? {
        guard let bits = slice(start, count)?.number else { return nil }
        return count == 4
            ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
    }

    /// What follows an object's count: as many parts of a size.
    private func body(_ start: Int, _ size: Int) -> ArraySlice<UInt8>? {
        guard let marker = slice(start, 1)?.first, (1...16).contains(size) else { return nil }
        if marker & 15 < 15 { return slice(start + 1, Int(marker & 15) * size) }
        guard let (count, end) = integer(start + 1), (0...Int128(bytes.count)).contains(count)
        else { return nil }
        return slice(end, Int(count) * size)
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>) -> String {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }
}

extension ArraySlice<UInt8> {
    /// At most 8 bytes, the most significant first.
    fileprivate var number: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
