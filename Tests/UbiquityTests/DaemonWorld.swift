import DeviceSocket
import Foundation
import SyncCore
import SyncWire

/// What a test's daemon knows: the files of its home as they are on the disk, and key-values.
///
/// It does no syncing: tests play the other devices.
struct DaemonWorld {
    let home: DeviceHome
    var account: DeviceStatus.Account?
    var items: [[UInt8]: ItemRow] = [:]
    var values: [[UInt8]: [UInt8]] = [:]
    /// Over it a value is refused.
    var mostBytes = 1 << 20
    /// What programs said that they have read.
    var readings: [[UInt8]: [VersionID]] = [:]
    /// Of versions, for programs that ask for them.
    var contents: [VersionID: [UInt8]] = [:]
    /// It has other things to do than to look at the disk.
    var isBlind = false
    var watches: [Watch] = []
    /// Whether it decides conditions; a daemon of an earlier version does not.
    var findsItems = true
    /// What it was asked to find.
    var searches: [ItemSearch] = []
    private var lastNumber: UInt64 = 0

    struct Watch {
        let token: ConnectionToken
        let request: DeviceRequest
        /// Of a search: what the program knows.
        var told: [ItemID: ItemRow] = [:]
    }

    init(home: DeviceHome) {
        self.home = home
        account = Self.account(1, "ada")
    }

    static func account(_ number: UInt64, _ name: String) -> DeviceStatus.Account {
        DeviceStatus.Account(
            id: AccountID(high: 0, low: number), name: name, device: DeviceID(high: 1, low: 1),
            deviceName: "desk", server: "http://127.0.0.1")
    }

    var status: DeviceStatus {
        DeviceStatus(
            state: account == nil ? .signedOut : .inSync, account: account, number: 1, outbox: 0,
            downloads: 0, conflicts: 0, stuck: [], programVersion: "test")
    }

    /// Looks at the disk; gives what has changed there since the last look.
    mutating func scan() -> (changed: [ItemRow], removed: [RemovedItem]) {
        if isBlind { return ([], []) }
        let root = URL(fileURLWithPath: String(decoding: home.containers, as: UTF8.self))
        var seen: Set<[UInt8]> = []
        var changed: [ItemRow] = []
        let names = FileManager.default.enumerator(atPath: root.path)
        while let name = names?.nextObject() as? String {
            let path = Array(name.utf8)
            guard !name.hasSuffix(".nosync"), let row = look(root, name, path) else { continue }
            seen.insert(path)
            if items[path] != row {
                items[path] = row
                changed.append(row)
            }
        }
        let removed = items.values.filter { !seen.contains($0.path) && $0.state != .placeholder }
            .map { RemovedItem(item: $0.item, path: $0.path) }
        for item in removed { items[item.path] = nil }
        return (changed, removed)
    }

    private mutating func look(_ root: URL, _ name: String, _ path: [UInt8]) -> ItemRow? {
        var status = stat()
        guard lstat(root.appendingPathComponent(name).path, &status) == 0 else { return nil }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let modified = FileTime(
            seconds: Int64(status.st_mtim.tv_sec), nanoseconds: UInt32(status.st_mtim.tv_nsec))
        let size = isFolder ? 0 : UInt64(status.st_size)
        if let old = items[path], isFolder || (old.size == size && old.modified == modified) {
            return old
        }
        lastNumber += 1
        return ItemRow(
            item: items[path]?.item ?? ItemID(high: 1, low: lastNumber), path: path,
            kind: isFolder ? .folder : .file, size: size, modified: modified, state: .current,
            hasConflicts: items[path]?.hasConflicts ?? false,
            version: VersionID(high: 2, low: lastNumber))
    }

    func matches(_ search: ItemSearch, _ row: ItemRow) -> Bool {
        guard let predicate = try? PredicateParser.parse(format: search.condition),
            let condition = ItemCondition(predicate)
        else { return false }
        return row.path.starts(with: search.path + [UInt8(ascii: "/")])
            && condition.mayHold(for: row.queried(in: search.containers))
    }

    func rows(_ path: [UInt8], _ depth: ItemsDepth) -> [ItemRow] {
        let below = path + [UInt8(ascii: "/")]
        return items.values.filter { row in
            switch depth {
            case .itself: row.path == path
            case .children:
                row.path.starts(with: below)
                    && !row.path.dropFirst(below.count).contains(below.last!)
            case .all: row.path.starts(with: below)
            case .returned: false
            }
        }
    }
}
