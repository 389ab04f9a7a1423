import SyncCore
import SyncWire

/// Values of the model from a seed: the same seed gives the same values.
struct RandomValues: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    // MARK: Primitives

    mutating func bool() -> Bool { Bool.random(using: &self) }

    /// Of any magnitude, the bounds among them.
    mutating func number() -> UInt64 {
        switch Int.random(in: 0..<8, using: &self) {
        case 0: 0
        case 1: .max
        default: next() >> UInt64.random(in: 0..<64, using: &self)
        }
    }

    mutating func signed() -> Int64 { Int64(bitPattern: number()) }

    mutating func bytes(_ most: Int = 40) -> [UInt8] {
        let count = Int.random(in: 0...most, using: &self)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    mutating func text() -> String {
        String(["a", "ü", "🙂", "e\u{301}", " ", "/"].shuffled(using: &self).joined())
    }

    mutating func list<Value>(
        _ most: Int = 4, _ make: (inout RandomValues) -> Value
    ) -> [Value] {
        (0..<Int.random(in: 0...most, using: &self)).map { _ in make(&self) }
    }

    mutating func maybe<Value>(_ make: (inout RandomValues) -> Value) -> Value? {
        bool() ? make(&self) : nil
    }

    mutating func choice<Value: CaseIterable>(_ type: Value.Type) -> Value {
        type.allCases.randomElement(using: &self)!
    }

    mutating func id<Subject>() -> Identifier<Subject> { Identifier(high: next(), low: next()) }

    mutating func ids<Subject>() -> [Identifier<Subject>] { list { $0.id() } }

    mutating func digest() -> Digest { Digest(words: (next(), next(), next(), next())) }

    mutating func bundle() -> ChunkBundle {
        let parts = list { $0.bytes() }
        return ChunkBundle(
            parts.map { ChunkReference(id: digest(), size: UInt32($0.count)) },
            bytes: parts.flatMap { $0 })
    }

    mutating func position() -> Position { Position(number: number(), digest: digest()) }

    mutating func wallTime() -> WallTime { WallTime(milliseconds: signed()) }

    mutating func fileTime() -> FileTime {
        FileTime(
            seconds: signed(), nanoseconds: UInt32.random(in: 0..<1_000_000_000, using: &self))
    }
}

// MARK: The model

extension RandomValues {
    mutating func facts() -> VersionFacts {
        VersionFacts(
            digest: digest(), size: number(), mode: UInt16.random(in: 0..<512, using: &self),
            modified: fileTime())
    }

    mutating func references() -> [ChunkReference] {
        list { ChunkReference(id: $0.digest(), size: UInt32(truncatingIfNeeded: $0.number())) }
    }

    mutating func content() -> StoredContent {
        switch Int.random(in: 0..<3, using: &self) {
        case 0: .none
        case 1: .inline(bytes(300))
        default: .chunks(references())
        }
    }

    mutating func version() -> Version {
        let nature = [Version.Nature.edit, .settlement, .deletion].randomElement(using: &self)!
        return Version(
            id: id(), parents: ids(), nature: nature, facts: bytes(60), content: content())
    }

    mutating func placement() -> Placement {
        Placement(
            id: id(), replaces: maybe { $0.id() }, folder: id(), tag: id(), name: bytes())
    }

    mutating func registerKey() -> RegisterKey { RegisterKey(store: id(), key: id()) }

    mutating func keyValueWrite() -> KeyValueWrite {
        KeyValueWrite(
            id: id(), register: registerKey(), name: bytes(), value: maybe { $0.bytes() },
            replaces: maybe { $0.id() }, beforeFirstPull: bool())
    }

    mutating func registerState() -> RegisterState {
        RegisterState(
            register: registerKey(), name: bytes(), write: id(), value: maybe { $0.bytes() },
            stamp: wallTime())
    }

    mutating func removal() -> FolderRemoval {
        FolderRemoval(folder: id(), version: version(), installed: number(), beyond: ids())
    }

    mutating func body() -> Operation.Body {
        switch Int.random(in: 0..<6, using: &self) {
        case 0:
            .create(
                item: id(), kind: choice(Kind.self), placement: placement(), version: version())
        case 1: .edit(item: id(), version: version())
        case 2: .move(item: id(), placement: placement())
        case 3: .removeFolder(removal())
        case 4:
            .restoreFolder(
                FolderRestoration(
                    folder: id(), deletion: id(), version: version(), swept: ids()))
        default: .write(keyValueWrite())
        }
    }

    mutating func operation() -> Operation {
        Operation(
            number: number(), age: number(), body: body(),
            restsOn: Bool.random(using: &self) ? id() : nil)
    }

    mutating func outcome() -> Outcome {
        Bool.random(using: &self) ? .accepted(number: number()) : .refused(refusal())
    }

    mutating func refusal() -> Refusal {
        Refusal(rawValue: UInt8.random(in: 1...11, using: &self))!
    }

    mutating func itemState() -> ItemState {
        ItemState(
            id: id(), kind: choice(Kind.self),
            standing: [Standing.placed, .unplaced, .trashed].randomElement(using: &self)!,
            placement: placement(),
            heads: list { Head(version: $0.id(), hasContent: $0.bool()) }, changed: number())
    }

    mutating func effect() -> Effect {
        switch Int.random(in: 0..<4, using: &self) {
        case 0: .item(itemState(), introducing: maybe { $0.version() })
        case 1: .alias(id(), of: id())
        case 2: .folderRemoved(folder: id(), deletion: id(), survivors: ids())
        default: .register(registerState())
        }
    }

    mutating func logEntry() -> LogEntry {
        LogEntry(
            position: position(), author: id(), incarnation: Incarnation(number()),
            operation: number(), moment: wallTime(), effects: list { $0.effect() })
    }
}
