/// Bytes that never change and are shared by reference: one buffer for any number of streams.
package struct SharedBytes: Sendable, Equatable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var count: Int { bytes.count }
}
