/// Why a store could not read or write; after it, nothing of the transaction holds.
package enum StoreError: Error, Hashable, Sendable {
    case diskFull
    /// The disk or the file system failed, or the folder is not ours to write.
    case inputOutput(String)
    /// Another process held the file for longer than the busy timeout.
    case busy
    /// The file is no database, is damaged, or holds what this program cannot have written.
    case corrupt(String)
    /// A later version of the program wrote the file.
    case newerSchema(found: Int, known: Int)
    /// SQLite's extended result code and what it says.
    case other(code: Int32, text: String)
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .diskFull: "the disk is full"
        case .inputOutput(let text): "the disk failed: \(text)"
        case .busy: "another program is using the file"
        case .corrupt(let text): "the file is damaged: \(text)"
        case .newerSchema(let found, let known):
            "a later version wrote the file: format \(found), this program knows \(known)"
        case .other(let code, let text): "error \(code): \(text)"
        }
    }
}
