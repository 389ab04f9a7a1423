// Keys, indexes and collection operators.

extension PredicateEvaluator {
    mutating func follow(
        _ keys: [[UInt8]], from base: PredicateExpression
    ) throws(PredicateEvaluationError) -> PredicateValue {
        try follow(keys[...], from: try value(base))
    }

    /// Follows keys one after the other; a collection operator takes all that follow it.
    func follow(
        _ keys: ArraySlice<[UInt8]>, from start: PredicateValue
    ) throws(PredicateEvaluationError) -> PredicateValue {
        var value = start
        for place in keys.indices {
            let key = keys[place]
            if key.first == UInt8(ascii: "@") {
                return try apply(key, to: value, then: keys[(place + 1)...])
            }
            value = try member(key, of: value)
        }
        return value
    }

    /// Reads one key; a collection is asked member by member, a null has nulls for all keys.
    func member(
        _ key: [UInt8], of value: PredicateValue
    ) throws(PredicateEvaluationError) -> PredicateValue {
        switch value {
        case .null: return .null
        case .dictionary(let entries): return entries[key] ?? (key.isSelf ? value : .null)
        case .opaque(let object): return try lookup(object, key) ?? (key.isSelf ? value : .null)
        case .array(let members):
            var values: [PredicateValue] = []
            values.reserveCapacity(members.count)
            for part in members { values.append(try member(key, of: part)) }
            return .array(values)
        default:
            if key.isSelf { return value }
            guard let result = value.property(String(decoding: key, as: UTF8.self)) else {
                throw .undefinedKey(key)
            }
            return result
        }
    }

    mutating func element(
        _ index: PredicateIndex, of base: PredicateExpression
    ) throws(PredicateEvaluationError) -> PredicateValue {
        let collection = try value(base)
        if collection == .null { return .null }
        if case .position(let position) = index {
            return try element(at: try value(position), of: collection)
        }
        guard let members = collection.members else {
            throw .unsuitable(operation: "an index", kind: collection.kind)
        }
        return switch index {
        case .first: members.first ?? .null
        case .last: members.last ?? .null
        case .size, .position: .integer(Int64(members.count))
        }
    }

    private func element(
        at position: PredicateValue, of collection: PredicateValue
    ) throws(PredicateEvaluationError) -> PredicateValue {
        switch (collection, position) {
        case (.dictionary, .string(let key)), (.opaque, .string(let key)):
            return try member(key, of: collection)
        case (.array(let members), .integer(let place)):
            guard place >= 0, place < members.count else { throw .indexOutOfRange }
            return members[Int(place)]
        default: throw .unsuitable(operation: "an index", kind: collection.kind)
        }
    }
}

extension [UInt8] {
    /// Every object is its own `self`.
    fileprivate var isSelf: Bool { elementsEqual("self".utf8) }
}

// MARK: Collection operators

extension PredicateEvaluator {
    private func apply(
        _ name: [UInt8], to value: PredicateValue, then keys: ArraySlice<[UInt8]>
    ) throws(PredicateEvaluationError) -> PredicateValue {
        if value == .null { return .null }
        if case .opaque(let object) = value, let result = try lookup(object, name) {
            return try follow(keys, from: result)
        }
        guard let members = value.members else {
            throw .unsuitable(
                operation: String(decoding: name, as: UTF8.self), kind: value.kind)
        }
        if name.elementsEqual("@count".utf8) {
            return try follow(keys, from: .integer(Int64(members.count)))
        }
        var values: [PredicateValue] = []
        for member in members {
            let part = try follow(keys, from: member)
            if part != .null { values.append(part) }
        }
        return try aggregate(name, values)
    }

    private func aggregate(
        _ name: [UInt8], _ values: [PredicateValue]
    ) throws(PredicateEvaluationError) -> PredicateValue {
        let comparer = PredicateComparer(services: services)
        switch String(decoding: name.dropFirst(), as: UTF8.self) {
        case "sum": return try PredicateArithmetic.sum(values)
        case "avg": return try PredicateArithmetic.average(values)
        case "min": return try comparer.extreme(values, .ascending)
        case "max": return try comparer.extreme(values, .descending)
        case "unionOfObjects": return .array(values)
        case "distinctUnionOfObjects": return .array(comparer.distinct(values))
        case "unionOfArrays", "unionOfSets": return .array(try joined(values))
        case "distinctUnionOfArrays", "distinctUnionOfSets":
            return .array(comparer.distinct(try joined(values)))
        default: throw .unknownOperator(name)
        }
    }

    private func joined(
        _ values: [PredicateValue]
    ) throws(PredicateEvaluationError) -> [PredicateValue] {
        var all: [PredicateValue] = []
        for value in values {
            guard let members = value.members else {
                throw .unsuitable(operation: "@unionOfArrays", kind: value.kind)
            }
            all += members
        }
        return all
    }
}

// MARK: Properties of plain values

extension PredicateValue {
    /// What Foundation's class for this value answers to a key.
    fileprivate func property(_ key: String) -> PredicateValue? {
        switch self {
        case .string(let text): Self.property(key, of: text)
        case .data(let bytes): key == "length" ? .integer(Int64(bytes.count)) : nil
        case .date(let seconds): Self.property(key, of: seconds)
        case .bool, .integer, .double: numberProperty(key)
        default: nil
        }
    }

    private static func property(_ key: String, of text: [UInt8]) -> PredicateValue? {
        switch key {
        case "length": .integer(Int64(PredicateScalars.utf16Count(text)))
        case "lowercaseString", "lowercased": .string(PredicateFolding.lowercase(text))
        case "uppercaseString", "uppercased": .string(PredicateFolding.uppercase(text))
        case "intValue", "integerValue", "longLongValue":
            PredicateNumber.parse(text)?.numberProperty(key) ?? .integer(0)
        case "doubleValue", "floatValue":
            PredicateNumber.parse(text)?.numberProperty(key) ?? .double(0)
        default: nil
        }
    }

    private static func property(_ key: String, of date: Double) -> PredicateValue? {
        switch key {
        case "timeIntervalSinceReferenceDate": .double(date)
        // From 1970 to 2001.
        case "timeIntervalSince1970": .double(date + 978_307_200)
        default: nil
        }
    }

    private func numberProperty(_ key: String) -> PredicateValue? {
        switch key {
        case "intValue", "integerValue", "longLongValue":
            PredicateArithmetic.truncated(self).map { .integer($0) }
        case "doubleValue", "floatValue": PredicateArithmetic.double(self).map { .double($0) }
        case "boolValue": PredicateArithmetic.double(self).map { .bool($0 != 0) }
        case "stringValue": PredicateCast.cast(self, to: Array("NSString".utf8))
        default: nil
        }
    }
}
