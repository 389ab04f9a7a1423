/// A command's words and options, as they were typed.
struct Arguments {
    private(set) var words: [String] = []
    private(set) var options: [String: String] = [:]
    private var flags: Set<String> = []

    /// Takes `--name value` and `--name=value` for the known options and `--name` for the known
    /// flags; after `--` all are words.
    init(
        _ arguments: [String], options known: Set<String>, flags knownFlags: Set<String> = []
    ) throws(CommandFailure) {
        var rest = arguments[...]
        var areAllWords = false
        while let argument = rest.popFirst() {
            guard !areAllWords, argument.utf8.starts(with: "--".utf8) else {
                words.append(argument)
                continue
            }
            guard argument.utf8.count > 2 else {
                areAllWords = true
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            let name = parts[0]
            if knownFlags.contains(name) {
                guard parts.count == 1 else { throw .usage("\(name) takes no value") }
                flags.insert(name)
                continue
            }
            guard known.contains(name) else { throw .usage("unknown option \(name)") }
            guard options[name] == nil else { throw .usage("\(name) is given twice") }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw .usage("\(name) needs a value")
            }
            options[name] = value
        }
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    func required(_ name: String) throws(CommandFailure) -> String {
        guard let value = options[name], !value.isEmpty else { throw .usage("\(name) is missing") }
        return value
    }
}
