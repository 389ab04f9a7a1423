import Foundation
import Glibc

/// What goes to standard output.
enum Output {
    /// A line.
    static func say(_ line: String) throws(NotesFailure) { try write(Array("\(line)\n".utf8)) }

    /// Bytes as they are.
    static func write(_ bytes: [UInt8]) throws(NotesFailure) {
        try NotesFailure.naming("write") { () throws(FileFailure) in
            do throws(FileFailure) {
                try FileContent.writeOutput(bytes)
            } catch {
                if error.code == EPIPE { endWithReader() }
                throw error
            }
        }
    }

    /// Who reads no further wants to hear no more: the program ends as others do then.
    private static func endWithReader() {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
    }

    /// One JSON object in one line.
    static func say(json value: some Encodable) throws(NotesFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data: Data
        do {
            data = try encoder.encode(value)
        } catch {
            throw .failed("cannot write JSON: \(error.localizedDescription)")
        }
        try write(Array(data) + [UInt8(ascii: "\n")])
    }
}
