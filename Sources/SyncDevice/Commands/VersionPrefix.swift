import SyncCore

/// The beginning of a version's id, as a person types it.
struct VersionPrefix: Equatable {
    let text: String

    init(_ text: String) throws(CommandFailure) {
        let text = text.lowercased()
        guard (1...32).contains(text.utf8.count), text.utf8.allSatisfy(\.isHexadecimal) else {
            throw .usage("V is a version's id, or its beginning: up to 32 hexadecimal digits")
        }
        self.text = text
    }

    /// Nil if the option is not given.
    init?(_ arguments: CommandArguments, _ option: String) throws(CommandFailure) {
        guard let text = try arguments.text(option) else { return nil }
        try self.init(text)
    }

    /// The version that is meant; the known ones are asked for only if the id is not whole.
    func version(
        of known: () throws(CommandFailure) -> [VersionID]
    ) throws(CommandFailure) -> VersionID {
        if let version = VersionID(text: text) { return version }
        let matches = Set(try known().filter { $0.text.utf8.starts(with: text.utf8) })
        guard let match = matches.first else {
            throw .failed("no version begins with \(text); `ubiquity versions PATH` lists them")
        }
        guard matches.count == 1 else {
            throw .failed("\(matches.count) versions begin with \(text); give more of the id")
        }
        return match
    }
}

extension UInt8 {
    fileprivate var isHexadecimal: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
