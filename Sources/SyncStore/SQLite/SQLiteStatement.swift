internal import CSQLite
internal import SyncCore

/// A prepared statement, kept by its connection for the next use.
@safe
final class SQLiteStatement {
    private let handle: OpaquePointer
    /// A statement cannot run twice at once.
    private var isRunning = false

    init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    func finalize() { unsafe sqlite3_finalize(handle) }

    // MARK: Running

    /// Binds the values, hands each row to `body` until it says false, and makes the statement
    /// ready for its next use.
    func run(
        _ values: [SQLiteValue], _ body: (SQLiteRow) throws(StoreError) -> Bool
    ) throws(StoreError) {
        precondition(!isRunning, "a statement was run while its rows were being read")
        isRunning = true
        defer {
            unsafe sqlite3_reset(handle)
            unsafe sqlite3_clear_bindings(handle)
            isRunning = false
        }
        try bind(values)
        let row = unsafe SQLiteRow(handle: handle)
        while try step() {
            guard try body(row) else { return }
        }
    }

    private func step() throws(StoreError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw unsafe StoreError(code, in: sqlite3_db_handle(handle))
        }
    }

    // MARK: Binding

    private func bind(_ values: [SQLiteValue]) throws(StoreError) {
        unsafe precondition(Int(sqlite3_bind_parameter_count(handle)) == values.count)
        for (offset, value) in values.enumerated() {
            let code = bind(value, at: Int32(offset + 1))
            guard code == SQLITE_OK else {
                throw unsafe StoreError(code, in: sqlite3_db_handle(handle))
            }
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return unsafe sqlite3_bind_null(handle, index)
        case .integer(let number): return unsafe sqlite3_bind_int64(handle, index, number)
        case .text(let text):
            let count = text.utf8.count
            return unsafe text.withCString { characters in
                unsafe csqlite_bind_text(handle, index, characters, Int32(count))
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return unsafe sqlite3_bind_zeroblob(handle, index, 0) }
            return unsafe bytes.withUnsafeBytes { unsafe bind($0, at: index) }
        case .words(let high, let low):
            let words = (high.bigEndian, low.bigEndian)
            return unsafe withUnsafeBytes(of: words) { unsafe bind($0, at: index) }
        case .digest(let digest):
            let words = (
                digest.words.0.bigEndian, digest.words.1.bigEndian, digest.words.2.bigEndian,
                digest.words.3.bigEndian
            )
            return unsafe withUnsafeBytes(of: words) { unsafe bind($0, at: index) }
        }
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
        // A blob over SQLite's limit is refused by the call, never cut short.
        guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
        return unsafe csqlite_bind_blob(handle, index, bytes.baseAddress, count)
    }
}
