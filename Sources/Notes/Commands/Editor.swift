import Foundation
import Glibc

/// The person's own editor, in the terminal that the program was started in.
enum Editor {
    /// Opens a file, and returns when the editor has ended well.
    static func open(_ path: [UInt8]) throws(NotesFailure) {
        let environment = ProcessInfo.processInfo.environment
        let named = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let editor = named ?? "vi"
        // The variable may hold arguments too, so the shell reads it; the path is one word.
        let command = Array("\(editor) ".utf8) + quoted(path)
        let status = unsafe system(command.map { CChar(bitPattern: $0) } + [0])
        guard status == 0 else {
            throw .failed(
                "the editor `\(editor)` did not end well: set VISUAL or EDITOR to one that does")
        }
    }

    private static func quoted(_ path: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [UInt8(ascii: "'")]
        for byte in path {
            if byte == UInt8(ascii: "'") {
                result += Array("'\\''".utf8)
            } else {
                result.append(byte)
            }
        }
        return result + [UInt8(ascii: "'")]
    }
}
