/// The commands of `ubiquity` that are about this device.
package enum DeviceCommand {
    /// Runs a command, whose arguments are all of the program's, and gives the exit status.
    package static func run(_ arguments: [[UInt8]]) -> Int32 {
        let type = command(arguments)
        do throws(CommandFailure) {
            guard let type else {
                guard let usage = usage(ofGroup: arguments) else { throw unknown(arguments) }
                try CommandOutput.say(usage)
                return 0
            }
            let rest = Array(arguments.dropFirst(type.words.count))
            if rest.first == help {
                try CommandOutput.say("usage: \(type.usage)\n\(type.summary)")
                return 0
            }
            return try type.init(rest).run()
        } catch {
            return complain(error, type)
        }
    }

    package static var usage: String { usage(of: all) }

    private static var all: [any Command.Type] {
        [
            JoinCommand.self, LeaveCommand.self, RunCommand.self, StatusCommand.self,
            WaitCommand.self, ListCommand.self, CatCommand.self, ConflictsCommand.self,
            VersionsCommand.self, RestoreCommand.self, RestoreItemCommand.self, TrashCommand.self,
            ConfirmCommand.self, ResolveCommand.self, GetValueCommand.self, SetValueCommand.self,
            DeleteValueCommand.self, ListValuesCommand.self, WatchValuesCommand.self,
            WhyCommand.self, DownloadCommand.self, EvictCommand.self, PinCommand.self,
            LimitCommand.self, FindCommand.self, DevicesCommand.self, InstallCommand.self,
            UninstallCommand.self, EventsCommand.self,
        ]
    }

    private static var help: [UInt8] { Array("--help".utf8) }

    /// `ubiquity kv --help`: of all commands that begin with the word.
    private static func usage(ofGroup arguments: [[UInt8]]) -> String? {
        guard arguments.count == 2, arguments[1] == help else { return nil }
        let group = all.filter { $0.words.count > 1 && Array($0.words[0].utf8) == arguments[0] }
        guard !group.isEmpty else { return nil }
        return usage(of: group)
    }

    private static func usage(of commands: [any Command.Type]) -> String {
        commands.enumerated().map {
            ($0 == 0 ? "usage: " : "       ") + $1.usage + "\n           " + $1.summary
        }.joined(separator: "\n")
    }

    private static func command(_ arguments: [[UInt8]]) -> (any Command.Type)? {
        all.first { type in arguments.starts(with: type.words.map { Array($0.utf8) }) }
    }

    private static func unknown(_ arguments: [[UInt8]]) -> CommandFailure {
        guard let word = arguments.first else { return .usage("a command is missing") }
        // Of `kv` and `device` the second word says which.
        let isGroup = all.contains { $0.words.count > 1 && Array($0.words[0].utf8) == word }
        guard isGroup else { return .usage("there is no command '\(shown(word))'") }
        guard arguments.count > 1 else { return .usage("a word after '\(shown(word))' is missing") }
        return .usage("there is no command '\(shown(word)) \(shown(arguments[1]))'")
    }

    private static func complain(_ failure: CommandFailure, _ type: (any Command.Type)?) -> Int32 {
        switch failure {
        case .failed(let line):
            CommandOutput.complain("ubiquity: \(line)")
            return 1
        case .usage(let line):
            CommandOutput.complain("ubiquity: \(line)")
            CommandOutput.complain(
                type.map { "usage: \($0.usage)" } ?? "`ubiquity help` lists the commands")
            return 2
        }
    }
}

/// What a person asks for by its first words.
protocol Command {
    static var words: [String] { get }
    /// One line, with the program's name.
    static var usage: String { get }
    /// What it does, in one line.
    static var summary: String { get }

    /// Takes the arguments behind the words.
    init(_ arguments: [[UInt8]]) throws(CommandFailure)

    /// Gives the exit status.
    func run() throws(CommandFailure) -> Int32
}
