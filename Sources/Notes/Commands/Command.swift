/// One thing that the program does.
@MainActor
protocol Command {
    static var word: String { get }
    /// One line.
    static var usage: String { get }
    /// Options that take a value.
    static var options: [String] { get }
    static var flags: [String] { get }

    init(_ arguments: Arguments) throws(NotesFailure)

    /// Does it, and returns when it is done, on the disk.
    func run() async throws(NotesFailure)
}

/// What stands behind a command's name.
struct Arguments {
    private(set) var words: [[UInt8]] = []
    private var values: [String: [[UInt8]]] = [:]

    /// Options with a value, and those without; after `--` all are words.
    init(
        _ arguments: some Sequence<[UInt8]>, options: [String], flags: [String]
    ) throws(NotesFailure) {
        var rest = arguments.makeIterator()
        var isEnded = false
        while let argument = rest.next() {
            let text = String(decoding: argument, as: UTF8.self)
            if isEnded || argument.count < 2 || argument[0] != UInt8(ascii: "-") {
                words.append(argument)
            } else if text == "--" {
                isEnded = true
            } else if flags.contains(text) {
                values[text, default: []].append([])
            } else if let (name, value) = Self.split(argument), options.contains(name) {
                values[name, default: []].append(value)
            } else if options.contains(text) {
                guard let value = rest.next() else { throw .usage("\(text) needs a value") }
                values[text, default: []].append(value)
            } else {
                throw .usage("unknown option \(shown(argument))")
            }
        }
    }

    /// Reads `--name=value`.
    private static func split(_ argument: [UInt8]) -> (String, [UInt8])? {
        guard let equals = argument.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (
            String(decoding: argument[..<equals], as: UTF8.self),
            Array(argument[(equals + 1)...])
        )
    }

    func has(_ flag: String) -> Bool { values[flag] != nil }

    func all(_ option: String) -> [[UInt8]] { values[option] ?? [] }

    /// The last one counts.
    func value(_ option: String) -> [UInt8]? { values[option]?.last }

    /// Gives the words if there are as many as the command takes.
    func words(_ counts: ClosedRange<Int>) throws(NotesFailure) -> [[UInt8]] {
        if words.count < counts.lowerBound { throw .usage("too few arguments") }
        if words.count > counts.upperBound {
            throw .usage("too many arguments, from \(shown(words[counts.upperBound])) on")
        }
        return words
    }
}

extension Command {
    static var options: [String] { [] }
    static var flags: [String] { [] }
}
