internal import CSQLite

extension StoreError {
    /// What a call on the connection answered, as one of the cases that callers tell apart.
    init(_ code: Int32, in database: OpaquePointer?) {
        let text = unsafe StoreError.message(code, in: database)
        switch code & 0xFF {
        case SQLITE_FULL: self = .diskFull
        case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            self = .inputOutput(text)
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt(text)
        default: self = .other(code: code, text: text)
        }
    }

    private static func message(_ code: Int32, in database: OpaquePointer?) -> String {
        if let database = unsafe database, let text = unsafe sqlite3_errmsg(database) {
            return unsafe String(cString: text)
        }
        return unsafe sqlite3_errstr(code).map { unsafe String(cString: $0) } ?? "unknown"
    }
}
