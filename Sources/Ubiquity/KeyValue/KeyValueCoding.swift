import Foundation

/// Values of the key-value store as bytes: a binary property list of one value.
///
/// Bytes that are no property list, as the command line writes them, are text; bytes that are no
/// UTF-8 either are data.
enum KeyValueCoding {
    /// Nil if it is no property list value.
    static func bytes(of value: Any) -> [UInt8]? {
        let data = try? PropertyListSerialization.data(
            fromPropertyList: value, format: .binary, options: 0)
        return data.map { Array($0) }
    }

    static func value(of bytes: [UInt8]) -> Any {
        if bytes.starts(with: "bplist".utf8) {
            let value = try? unsafe PropertyListSerialization.propertyList(
                from: Data(bytes), format: nil)
            if let value { return value }
        }
        return String(validating: bytes, as: UTF8.self) ?? Data(bytes)
    }
}
