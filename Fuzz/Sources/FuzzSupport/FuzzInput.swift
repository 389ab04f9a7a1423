/// Bytes from the fuzzer, to be taken apart by a target that needs more than one value.
package struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The next byte; zero at the end.
    package mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Everything up to the separator, which is dropped, or to the end.
    package mutating func part(endedBy separator: UInt8) -> [UInt8] {
        let part = rest.prefix { $0 != separator }
        rest = rest.dropFirst(part.count + 1)
        return Array(part)
    }

    /// Everything that is left.
    package mutating func all() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}

extension [UInt8] {
    /// A copy of what the fuzzer's library hands in.
    package init(fuzzed start: UnsafePointer<UInt8>, _ count: Int) {
        self = Array(UnsafeBufferPointer(start: start, count: count))
    }
}

/// Ends the process, which the fuzzer reports together with the bytes that led here.
package func require(_ condition: Bool, _ what: @autoclosure () -> String) {
    guard condition else { fatalError(what()) }
}
