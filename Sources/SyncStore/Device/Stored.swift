internal import SyncWire

extension WireStructure {
    /// Reads a row that this program or an earlier version of it wrote.
    init(stored bytes: [UInt8]) throws(StoreError) {
        do throws(WireError) {
            try self.init(decoding: bytes)
        } catch {
            throw .corrupt("\(Self.self): \(error)")
        }
    }
}
