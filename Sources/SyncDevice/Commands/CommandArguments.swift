/// A command's words and options as they were typed: bytes, because names of files are bytes.
struct CommandArguments {
    private(set) var words: [[UInt8]] = []
    private var options: [String: [UInt8]] = [:]
    private var flags: Set<String> = []

    /// Takes `--name value` and `--name=value` for the known options and `--name` for the known
    /// flags; after `--` all are words.
    init(
        _ arguments: [[UInt8]], options known: Set<String> = [], flags knownFlags: Set<String> = []
    ) throws(CommandFailure) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.starts(with: dashes) else {
                words.append(argument)
                continue
            }
            if argument.count == dashes.count {
                words += rest
                return
            }
            let (name, attached) = CommandArguments.split(argument)
            guard options[name] == nil, !flags.contains(name) else {
                throw .usage("\(name) is given twice")
            }
            if knownFlags.contains(name) {
                guard attached == nil else { throw .usage("\(name) takes no value") }
                flags.insert(name)
            } else if known.contains(name) {
                guard let value = attached ?? rest.popFirst() else {
                    throw .usage("\(name) needs a value")
                }
                options[name] = value
            } else {
                throw .usage("unknown option \(name)")
            }
        }
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// The option's bytes; nil if it is not given.
    func bytes(_ option: String) throws(CommandFailure) -> [UInt8]? {
        guard let value = options[option] else { return nil }
        guard !value.isEmpty else { throw .usage("\(option) is empty") }
        return value
    }

    /// The option as text; nil if it is not given.
    func text(_ option: String) throws(CommandFailure) -> String? {
        guard let value = try bytes(option) else { return nil }
        guard let text = String(validating: value, as: UTF8.self) else {
            throw .usage("\(option) is no UTF-8 text")
        }
        return text
    }

    /// As many words as have names, and no more; each that is given has at least one byte.
    func words(_ names: String...) throws(CommandFailure) -> [[UInt8]] {
        if words.count < names.count { throw .usage("\(names[words.count]) is missing") }
        try refuseWords(after: names.count)
        return words
    }

    /// The only word, nil if it is not given.
    func wordIfAny() throws(CommandFailure) -> [UInt8]? {
        try refuseWords(after: 1)
        return words.first
    }

    func refuseWords(after count: Int) throws(CommandFailure) {
        if words.contains(where: \.isEmpty) { throw .usage("a word is empty") }
        guard words.count > count else { return }
        throw .usage("'\(shown(words[count]))' is not understood")
    }

    private static func split(_ argument: [UInt8]) -> (name: String, value: [UInt8]?) {
        guard let equals = argument.firstIndex(of: UInt8(ascii: "=")) else {
            return (String(decoding: argument, as: UTF8.self), nil)
        }
        let name = String(decoding: argument[..<equals], as: UTF8.self)
        return (name, Array(argument[(equals + 1)...]))
    }
}

private let dashes = Array("--".utf8)

/// Bytes in a line for people: neither an invalid byte nor a control character gets there.
func shown(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isControl ? "?" : $0 }))
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
