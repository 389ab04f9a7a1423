import SyncCore

/// What the name of an entry in the staging folder says of it, for whoever finds it after a crash.
///
/// A swap changes what lies under a name. So the name of what goes in tells how it looks: if
/// anything else lies there, it came out of the tree. With it stands what is expected to come out,
/// so that it can be judged without the program that died.
enum StagingName: Hashable {
    /// Ours, never swapped.
    case fresh(UInt64)
    /// Ours if it looks like `ours`, else what it was swapped with.
    case incoming(ours: FileMark, ItemID, expected: FileMark)
    /// Taken out of the tree, to be destroyed if it is what was expected.
    case removed(UInt64, ItemID, expected: FileMark)
    /// Taken out of the tree to make room for another file.
    case replaced(UInt64, ItemID, expected: FileMark)
    /// What is left of a package that was judged at that time, by the wall's clock, and is removed.
    case leaving(UInt64, ItemID, judgedAt: FileTime)
    /// A note: the folder to which this link leads had that mode, and is open for the moment.
    case opened(UInt64, ItemID, FileMark)

    /// At most 249 bytes.
    var text: String {
        switch self {
        case .fresh(let number):
            "new_\(number)"
        case .incoming(let ours, let item, let expected):
            "in_\(ours.text)_\(item.text)_\(expected.text)"
        case .removed(let number, let item, let expected):
            "out_\(number)_\(item.text)_\(expected.text)"
        case .replaced(let number, let item, let expected):
            "was_\(number)_\(item.text)_\(expected.text)"
        case .leaving(let number, let item, let moment):
            "gone_\(number)_\(item.text)_\(moment.text)"
        case .opened(let number, let item, let mark):
            "open_\(number)_\(item.text)_\(mark.text)"
        }
    }

    init?(_ text: String) {
        let parts = text.split(separator: "_")
        if parts.count == 2, parts[0] == "new", let number = UInt64(parts[1]) {
            self = .fresh(number)
            return
        }
        guard parts.count == 4, let item = ItemID(text: String(parts[2])) else { return nil }
        if parts[0] == "gone", let number = UInt64(parts[1]), let time = FileTime(parts[3]) {
            self = .leaving(number, item, judgedAt: time)
            return
        }
        guard let expected = FileMark(parts[3]) else { return nil }
        switch (parts[0], FileMark(parts[1]), UInt64(parts[1])) {
        case ("in", let ours?, _): self = .incoming(ours: ours, item, expected: expected)
        case ("out", _, let number?): self = .removed(number, item, expected: expected)
        case ("was", _, let number?): self = .replaced(number, item, expected: expected)
        case ("open", _, let number?): self = .opened(number, item, expected)
        default: return nil
        }
    }
}

/// What of a stamp stays the same while a file is renamed, and changes when it is written.
struct FileMark: Hashable {
    let identity: FileIdentity
    let size: UInt64
    let mode: UInt16
    let modified: FileTime

    init(_ stamp: FileStamp) {
        identity = stamp.identity
        size = stamp.size
        mode = stamp.mode
        modified = stamp.modified
    }

    /// Eight numbers in hexadecimal, at most 106 bytes.
    fileprivate var text: String {
        let birth = identity.birth
        let fields: [UInt64] = [
            identity.device, identity.inode, UInt64(bitPattern: birth.seconds),
            UInt64(birth.nanoseconds), size, UInt64(mode), UInt64(bitPattern: modified.seconds),
            UInt64(modified.nanoseconds),
        ]
        return fields.map { String($0, radix: 16) }.joined(separator: ".")
    }

    fileprivate init?(_ text: Substring) {
        let fields = text.split(separator: ".").compactMap { UInt64($0, radix: 16) }
        guard fields.count == 8, let mode = UInt16(exactly: fields[5]),
            let birth = FileTime(seconds: fields[2], nanoseconds: fields[3]),
            let modified = FileTime(seconds: fields[6], nanoseconds: fields[7])
        else { return nil }
        identity = FileIdentity(device: fields[0], inode: fields[1], birth: birth)
        size = fields[4]
        self.mode = mode
        self.modified = modified
    }
}

extension FileTime {
    fileprivate var text: String {
        String(UInt64(bitPattern: seconds), radix: 16) + "." + String(nanoseconds, radix: 16)
    }

    fileprivate init?(_ text: Substring) {
        let fields = text.split(separator: ".").compactMap { UInt64($0, radix: 16) }
        guard fields.count == 2 else { return nil }
        self.init(seconds: fields[0], nanoseconds: fields[1])
    }

    fileprivate init?(seconds: UInt64, nanoseconds: UInt64) {
        guard let nanoseconds = UInt32(exactly: nanoseconds) else { return nil }
        self.init(seconds: Int64(bitPattern: seconds), nanoseconds: nanoseconds)
    }
}
