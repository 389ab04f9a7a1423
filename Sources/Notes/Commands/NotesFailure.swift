import Foundation

/// Why a command ends without having done its work.
enum NotesFailure: Error, Equatable {
    /// Exit status 1, with one line that says what, why, and what to do.
    case failed(String)
    /// Exit status 2: the command cannot be understood.
    case usage(String)
}

extension NotesFailure {
    /// What could not be done with a file, and why.
    static func file(_ action: String, _ failure: FileFailure) -> NotesFailure {
        .failed("cannot \(action) \(shown(failure.path)): \(failure.reason)")
    }

    /// Runs a body in which a file may fail.
    static func naming<Value: ~Copyable>(
        _ action: String, _ body: () throws(FileFailure) -> Value
    ) throws(NotesFailure) -> Value {
        do throws(FileFailure) {
            return try body()
        } catch {
            throw .file(action, error)
        }
    }
}

/// Bytes as text in one line, with escapes for control characters.
func shown(_ bytes: [UInt8]) -> String {
    var text = ""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
        if scalar.value < 0x20 || scalar.value == 0x7F {
            text += scalar.escaped(asASCII: true)
        } else {
            text.unicodeScalars.append(scalar)
        }
    }
    return text
}
