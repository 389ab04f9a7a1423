import DeviceSocket
import Glibc
import SyncCore
import SyncWire

/// `ubiquity find`: the items that a predicate is true of, and with `--live` every change of them.
struct FindCommand: Command {
    static let words = ["find"]
    static let usage = "ubiquity find 'PREDICATE' [--live] [--json]"
    static let summary =
        "The files that a predicate is true of; --live tells of changes until it is ended."

    let text: [UInt8]
    let isLive: Bool
    let isJSON: Bool

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, flags: ["--live", "--json"])
        text = try arguments.words("PREDICATE")[0]
        isLive = arguments.has("--live")
        isJSON = arguments.has("--json")
    }

    func run() throws(CommandFailure) -> Int32 {
        let predicate: Predicate
        do throws(PredicateFormatError) {
            predicate = try PredicateParser.parse(format: text)
        } catch {
            return FindCommand.complain(error)
        }
        let home = try CommandHome()
        let client = try home.connect()
        let search = FoundSearch(predicate, in: home, isLive: isLive)
        if isLive { throw try LiveFind(search, isJSON: isJSON).run(client) }
        try show(try search.run(client), in: home)
        return 0
    }

    /// Some lines, which show the place.
    private static func complain(_ error: PredicateFormatError) -> Int32 {
        let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
        CommandOutput.complain("ubiquity: find: that is no predicate: \(lines[0])")
        for line in lines.dropFirst() { CommandOutput.complain("  \(line)") }
        return 2
    }

    private func show(_ found: FoundItems, in home: CommandHome) throws(CommandFailure) {
        guard !isJSON else { return try CommandOutput.say(.found(found, in: home)) }
        for row in found.rows { try CommandOutput.say("", name: home.absolute(row.path)) }
    }
}

/// A predicate and the part of it that the daemon decides; the rest is decided here.
struct FoundSearch {
    let predicate: Predicate
    let home: CommandHome
    let search: ItemSearch
    private let services = PredicateServices.command

    init(_ predicate: Predicate, in home: CommandHome, isLive: Bool) {
        self.predicate = predicate
        self.home = home
        let condition = ItemCondition.part(of: predicate)
        search = ItemSearch(
            path: CommandHome.container, condition: condition.predicate.formatText,
            containers: home.home.containers, isLive: isLive)
    }

    func run(_ client: DeviceClient) throws(CommandFailure) -> FoundItems {
        let found = try asking("find") { () throws(DeviceClientError) in
            try client.find(search)
        }
        return FoundItems(rows: matching(found.rows), visited: found.visited)
    }

    /// By path.
    func matching(_ rows: [ItemRow]) -> [ItemRow] {
        rows.filter(matches).sorted { $0.path.lexicographicallyPrecedes($1.path) }
    }

    /// The folder that holds a person's files is none of them.
    func matches(_ row: ItemRow) -> Bool {
        guard row.path != CommandHome.documents else { return false }
        let item = row.queried(in: home.home.containers, isHere: isHere(row))
        return predicate.evaluate(with: item, services: services)
    }

    private func isHere(_ row: ItemRow) -> Bool {
        switch row.state {
        case .current, .uploading: return true
        case .placeholder: return false
        case .downloading, .stuck:
            var status = stat()
            let path = home.absolute(row.path).map { CChar(bitPattern: $0) } + [0]
            return unsafe lstat(path, &status) == 0
        }
    }
}
