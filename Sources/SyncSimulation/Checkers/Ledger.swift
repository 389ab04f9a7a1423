import SyncCore

/// The number of one save of one person.
typealias SaveID = Int

/// A line that was typed once: no two have the same number.
typealias Token = Int

/// What really happened, as the checkers know it: no part of the product writes or reads it.
struct Ledger {
    /// A complete content that a person's program wrote.
    struct Save {
        let device: Int
        let path: String
        let bytes: [UInt8]
        let tokens: [Token]
        /// Why it need not be kept, if it need not.
        var excuse: Excuse?
    }

    enum Excuse {
        /// The same person's disk lost it by that person's own act before it was sent.
        case replacedByPerson
        /// Another program of that person had given the file a temporary name before.
        case underTemporaryName
        /// It is what a placeholder says, and nobody's text.
        case ofPlaceholder
        /// It had not been flushed when the power failed.
        case lostWithPower
    }

    /// A key-value that a person set.
    struct Setting {
        let device: Int
        let key: [UInt8]
        let value: [UInt8]
        let time: Int64
        var isExcused = false
    }

    private(set) var saves: [Save] = []
    private(set) var settings: [Setting] = []
    /// By device: the lines that some program there has read or written, with when it first did.
    private var seen: [[Token: Int64]]
    /// Lines that somebody removed who had them before their eyes.
    private(set) var removed: Set<Token> = []
    private var tokens = 0

    /// What a package was in the middle of a save, by device.
    private var halves: [Int: Set<Digest>] = [:]
    /// Those that a dead program has left for good.
    private(set) var allowedHalves: Set<Digest> = []

    init(devices: Int) { seen = Array(repeating: [:], count: devices) }

    mutating func note(half bytes: [UInt8], on device: Int) {
        halves[device, default: []].insert(simulatedHash(bytes))
    }

    /// A program that saved a package died, or a failure has taken back the end of a save.
    mutating func note(halfSavedOn device: Int) {
        allowedHalves.formUnion(halves[device] ?? [])
    }

    mutating func newToken() -> Token {
        tokens += 1
        return tokens
    }

    mutating func note(
        saveOf bytes: [UInt8], at path: String, on device: Int, _ time: Int64
    ) -> SaveID {
        let tokens = Document.tokens(in: bytes)
        var save = Save(device: device, path: path, bytes: bytes, tokens: tokens)
        if tokens.isEmpty, bytes.starts(with: Self.beginningOfPlaceholders) {
            save.excuse = .ofPlaceholder
        }
        saves.append(save)
        note(tokens, on: device, time)
        return saves.count - 1
    }

    private static let beginningOfPlaceholders = Placeholder.text(
        Home.name("a"), VersionID(high: 0, low: 0), size: 0
    ).prefix { $0 != 0x0A }

    mutating func note(readingOf bytes: [UInt8], on device: Int, _ time: Int64) {
        note(Document.tokens(in: bytes), on: device, time)
    }

    private mutating func note(_ tokens: [Token], on device: Int, _ time: Int64) {
        for token in tokens where seen[device][token] == nil { seen[device][token] = time }
    }

    /// Whether somebody at the device had read or written the line by then.
    func hadSeen(_ token: Token, on device: Int, by time: Int64) -> Bool {
        seen[device][token].map { $0 <= time } ?? false
    }

    /// The program died before it could say that the value is kept.
    mutating func excuse(setting: Int) { settings[setting].isExcused = true }

    /// Returns the setting's number.
    mutating func note(
        setting key: [UInt8], to value: [UInt8], on device: Int, _ time: Int64
    ) -> Int {
        for index in settings.indices where settings[index].device == device {
            if settings[index].key == key { settings[index].isExcused = true }
        }
        settings.append(Setting(device: device, key: key, value: value, time: time))
        return settings.count - 1
    }

    mutating func excuse(_ save: SaveID, _ excuse: Excuse) {
        if saves[save].excuse == nil { saves[save].excuse = excuse }
    }

    /// A person's program put `new` where `old` was; `read` is what it had read of the document.
    mutating func note(
        replacing old: [UInt8], by new: [UInt8], having read: [Token], on device: Int
    ) {
        let kept = Set(Document.tokens(in: new))
        for token in read where !kept.contains(token) { removed.insert(token) }
        for token in Document.tokens(in: old) where !kept.contains(token) {
            if seen[device][token] != nil { removed.insert(token) }
        }
    }

    mutating func note(removalOf token: Token) { removed.insert(token) }

    /// A person deleted what stood there, or chose against it.
    mutating func note(deletionOf bytes: [UInt8]) {
        removed.formUnion(Document.tokens(in: bytes))
    }

    /// The power failed: what had been there may be gone.
    mutating func note(powerLossOf save: SaveID) {
        excuse(save, .lostWithPower)
        removed.formUnion(saves[save].tokens)
    }
}
