import DeviceSocket
import SyncWire

/// `ubiquity download`: brings contents to this device that were evicted.
struct DownloadCommand: Command {
    static let words = ["download"]
    static let usage = "ubiquity download PATH..."
    static let summary = "Fetches what was evicted, of a folder all that is in it."

    let paths: [[UInt8]]

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        paths = try CommandArguments(arguments).paths()
    }

    func run() throws(CommandFailure) -> Int32 {
        try ResidenceRequest(paths: paths, wanted: .here).run()
    }
}

/// `ubiquity evict`: leaves contents at the server, with a placeholder here.
struct EvictCommand: Command {
    static let words = ["evict"]
    static let usage = "ubiquity evict PATH... | --keep-free SIZE"
    static let summary =
        "Frees files' room here: .NAME.icloud stays. SIZE, as 20G, is kept free so; off ends that."

    let paths: [[UInt8]]
    /// In bytes; 0 to keep nothing free any more.
    let keptFree: UInt64?

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, options: ["--keep-free"])
        keptFree = try arguments.size("--keep-free")
        if keptFree == nil {
            paths = try arguments.paths()
        } else {
            try arguments.refuseWords(after: 0)
            paths = []
        }
    }

    func run() throws(CommandFailure) -> Int32 {
        guard let keptFree else {
            return try ResidenceRequest(paths: paths, wanted: .atServer).run()
        }
        let client = try CommandHome().connect()
        try asking("evict") { () throws(DeviceClientError) in
            try client.perform(.keepFree(bytes: keptFree))
        }
        return 0
    }
}

/// `ubiquity pin`: keeps contents on this device.
struct PinCommand: Command {
    static let words = ["pin"]
    static let usage = "ubiquity pin PATH... [--off]"
    static let summary = "Keeps a file, or all in a folder, on this device; --off ends that."

    let paths: [[UInt8]]
    let isOff: Bool

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, flags: ["--off"])
        paths = try arguments.paths()
        isOff = arguments.has("--off")
    }

    func run() throws(CommandFailure) -> Int32 {
        try ResidenceRequest(paths: paths, wanted: isOff ? .unpinned : .pinned).run()
    }
}

/// What a person wants of some paths, one after the other.
private struct ResidenceRequest {
    let paths: [[UInt8]]
    let wanted: ItemResidence

    /// All are tried; what was not done is said, each on its line.
    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let client = try home.connect()
        var hasFailed = false
        for path in paths {
            do throws(CommandFailure) {
                let inside = try home.inside(path)
                try asking(shown(path)) { () throws(DeviceClientError) in
                    try client.performLong(.setResidence(path: inside, wanted))
                }
            } catch {
                guard case .failed(let line) = error else { throw error }
                CommandOutput.complain("ubiquity: \(line)")
                hasFailed = true
            }
        }
        return hasFailed ? 1 : 0
    }
}

extension CommandArguments {
    /// One or more.
    fileprivate func paths() throws(CommandFailure) -> [[UInt8]] {
        guard !words.isEmpty else { throw .usage("PATH is missing") }
        if words.contains(where: \.isEmpty) { throw .usage("a word is empty") }
        return words
    }
}
