import Foundation
import Glibc

/// The program `notes`: from arguments to an exit status.
@MainActor
package enum NotesProgram {
    private static let commands: [any Command.Type] = [
        NewCommand.self, ListCommand.self, ShowCommand.self, EditCommand.self,
        AppendCommand.self, DeleteCommand.self, ImportCommand.self,
    ]

    /// Does what the arguments say, without the program's own name, and gives the exit status.
    package static func run(_ arguments: [[UInt8]]) async -> Int32 {
        // A daemon that goes away must not end the program in the middle of its work.
        signal(SIGPIPE, SIG_IGN)
        do throws(NotesFailure) {
            return try await obey(arguments)
        } catch {
            switch error {
            case .failed(let reason):
                complain(reason)
                return 1
            case .usage(let reason):
                complain(reason)
                return 2
            }
        }
    }

    private static func obey(_ arguments: [[UInt8]]) async throws(NotesFailure) -> Int32 {
        guard let word = arguments.first.map({ String(decoding: $0, as: UTF8.self) }) else {
            throw .usage("a command is missing\n\(usage)")
        }
        if ["help", "--help", "-h"].contains(word) {
            try Output.say(usage)
            return 0
        }
        guard let command = commands.first(where: { $0.word == word }) else {
            throw .usage("unknown command \(shown(arguments[0]))\n\(usage)")
        }
        if arguments.contains(Array("--help".utf8)) {
            try Output.say("usage: \(command.usage)")
            return 0
        }
        try await understood(command, arguments.dropFirst()).run()
        return 0
    }

    private static func understood(
        _ command: any Command.Type, _ arguments: ArraySlice<[UInt8]>
    ) throws(NotesFailure) -> any Command {
        do throws(NotesFailure) {
            return try command.init(
                try Arguments(arguments, options: command.options, flags: command.flags))
        } catch {
            guard case .usage(let reason) = error else { throw error }
            throw .usage("\(reason)\nusage: \(command.usage)")
        }
    }

    private static var usage: String {
        "usage:\n" + commands.map { "  \($0.usage)" }.joined(separator: "\n")
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("notes: \(text)\n".utf8))
    }
}
