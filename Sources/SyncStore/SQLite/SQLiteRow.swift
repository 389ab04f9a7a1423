internal import CSQLite
package import SyncCore

/// The row that a statement stands at; valid only within the closure that it was handed to.
@safe
package struct SQLiteRow {
    private let handle: OpaquePointer

    init(handle: OpaquePointer) { unsafe self.handle = handle }

    package func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    package func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(handle, column)
    }

    package func number(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }

    package func moment(_ column: Int32) -> WallTime { WallTime(milliseconds: integer(column)) }

    /// Nil for NULL.
    package func optionalMoment(_ column: Int32) -> WallTime? {
        isNull(column) ? nil : moment(column)
    }

    package func text(_ column: Int32) -> String {
        String(decoding: blob(column), as: UTF8.self)
    }

    /// Empty for NULL.
    package func blob(_ column: Int32) -> [UInt8] {
        unsafe Array(raw(column))
    }

    /// Nil for NULL.
    package func optionalBlob(_ column: Int32) -> [UInt8]? {
        isNull(column) ? nil : blob(column)
    }

    package func id<Subject>(
        _ column: Int32, _ type: Identifier<Subject>.Type = Identifier<Subject>.self
    ) throws(StoreError) -> Identifier<Subject> {
        let bytes = unsafe raw(column)
        guard bytes.count == 16 else {
            throw .corrupt("an id has \(bytes.count) bytes instead of 16")
        }
        return unsafe Identifier(high: word(bytes, 0), low: word(bytes, 8))
    }

    package func digest(_ column: Int32) throws(StoreError) -> Digest {
        let bytes = unsafe raw(column)
        guard bytes.count == 32 else {
            throw .corrupt("a digest has \(bytes.count) bytes instead of 32")
        }
        return unsafe Digest(
            words: (word(bytes, 0), word(bytes, 8), word(bytes, 16), word(bytes, 24)))
    }

    private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private func raw(_ column: Int32) -> UnsafeRawBufferPointer {
        // The order of the calls matters: the pointer first, then its count.
        let bytes = unsafe sqlite3_column_blob(handle, column)
        let count = unsafe sqlite3_column_bytes(handle, column)
        return unsafe UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(count))
    }
}
