import SyncStore

/// Runs a store's call; what it cannot do becomes what the client is told.
func stored<Value>(_ body: () throws(StoreError) -> Value) throws(APIError) -> Value {
    do throws(StoreError) {
        return try body()
    } catch {
        ServerLog.write("the database could not be read: \(error)")
        throw APIError(error)
    }
}

extension APIError {
    init(_ error: StoreError) {
        self =
            switch error {
            case .diskFull: .diskFull
            case .busy: .busy
            case .inputOutput: .diskFailed
            case .corrupt, .newerSchema, .other: .failed
            }
    }
}
