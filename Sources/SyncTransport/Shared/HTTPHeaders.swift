/// Header fields in their order, with duplicates, found by name without regard to ASCII case.
package struct HTTPHeaders: Sendable, Equatable {
    /// One field line.
    package struct Field: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var fields: [Field]

    package init() {
        fields = []
    }

    /// The first value of a name, nil if there is none.
    package subscript(name: String) -> String? {
        fields.first { HTTPHeaders.isSame($0.name, name) }?.value
    }

    /// All values of a name, in order.
    package func values(_ name: String) -> [String] {
        fields.compactMap { HTTPHeaders.isSame($0.name, name) ? $0.value : nil }
    }

    package func contains(_ name: String) -> Bool {
        fields.contains { HTTPHeaders.isSame($0.name, name) }
    }

    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Replaces all values of a name by one.
    package mutating func set(_ name: String, _ value: String) {
        fields.removeAll { HTTPHeaders.isSame($0.name, name) }
        append(name, value)
    }

    /// Compares names as HTTP does: ASCII letters without case.
    package static func isSame(_ left: String, _ right: String) -> Bool {
        let left = left.utf8
        let right = right.utf8
        return left.count == right.count
            && zip(left, right).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }
}
