import SyncCore
import SyncStore

/// What has really passed and what the disks have really had, as the checkers know it.
struct Witness {
    /// What a backup of the server knows too.
    struct Days {
        /// The log's number at the end of each day that has really passed.
        fileprivate(set) var numbers: [UInt64] = []
        /// By device: the day on which it was last heard of.
        fileprivate(set) var heard: [Int]
    }

    private(set) var witnessed: Days
    /// By device: the versions that its disk ever had.
    private var had: [Set<VersionID>]
    /// What each version was made from, as it was said in any history.
    private var parents: [VersionID: Set<VersionID>] = [:]
    /// What was rightly collected.
    private(set) var expiredContents: Set<Digest> = []
    private(set) var expiredTokens: Set<Token> = []
    private(set) var expiredValues: Set<[UInt8]> = []

    init(devices: Int) {
        witnessed = Days(heard: Array(repeating: 0, count: devices))
        had = Array(repeating: [], count: devices)
    }

    mutating func passDay(at number: UInt64) { witnessed.numbers.append(number) }
    mutating func hear(from device: Int) { witnessed.heard[device] = witnessed.numbers.count }

    /// How many days are over since an entry came.
    func days(since number: UInt64) -> Int { witnessed.numbers.count { $0 >= number } }

    func isSilent(_ device: Int) -> Bool {
        witnessed.numbers.count - witnessed.heard[device] >= Int(Retention.silence)
    }

    mutating func note(_ changes: [ReplicaChange], on device: Int) {
        for case .node(_, let record?) in changes {
            if let base = record.base { had[device].insert(base.version) }
        }
    }

    mutating func note(_ version: Version) {
        parents[version.id, default: []].formUnion(version.parents)
    }

    /// Whether a device ever had the version, or one that came of it.
    func had(_ version: VersionID, on device: Int) -> Bool {
        if had[device].contains(version) { return true }
        var seen = had[device]
        var open = Array(seen)
        while let next = open.popLast() {
            for parent in parents[next] ?? [] where seen.insert(parent).inserted {
                if parent == version { return true }
                open.append(parent)
            }
        }
        return false
    }

    /// The server is as it was after so many days: all since then passed at its number of then,
    /// and whom it has heard since it does not know.
    mutating func goBack(to then: Days, at number: UInt64) {
        let since = witnessed.numbers.dropFirst(then.numbers.count)
        witnessed = then
        witnessed.numbers += since.map { _ in number }
    }

    /// What went with a server's history: nobody can bring contents back that people have replaced
    /// since, or lines and values that no device has.
    mutating func note(lost contents: Set<Digest>, _ tokens: Set<Token>, _ values: Set<[UInt8]>) {
        expiredContents.formUnion(contents)
        expiredTokens.formUnion(tokens)
        expiredValues.formUnion(values)
    }

    mutating func note(expired bytes: [UInt8]) {
        expiredContents.insert(simulatedHash(bytes))
        expiredTokens.formUnion(Document.tokens(in: bytes))
    }
}
