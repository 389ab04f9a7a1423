import SyncDevice

extension [WatchEvent] {
    /// Without the word of who writes, which tells only the order of writing and reading.
    var withoutWriting: [WatchEvent] {
        filter {
            if case .writing = $0 { return false }
            return true
        }
    }
}
