import DeviceSocket
import SyncWire

// `ubiquity kv`: the values of a store, as apps see them.

/// The store and the words of a `kv` command.
struct KeyValueArguments {
    /// UTF-8.
    let store: [UInt8]
    let words: [[UInt8]]
    let isJSON: Bool

    /// The store of programs without an entitlements file, and so of notes.
    static let defaultStore = "org.ubiquity.notes"

    init(
        _ arguments: [[UInt8]], flags: Set<String> = [], most: Int
    ) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, options: ["--store"], flags: flags)
        store = Array((try arguments.text("--store") ?? KeyValueArguments.defaultStore).utf8)
        guard arguments.words.count <= most else {
            throw .usage("'\(shown(arguments.words[most]))' is not understood")
        }
        words = arguments.words
        isJSON = arguments.has("--json")
    }

    func key() throws(CommandFailure) -> [UInt8] {
        guard let key = try keyIfAny() else { throw .usage("KEY is missing") }
        return key
    }

    func keyIfAny() throws(CommandFailure) -> [UInt8]? {
        guard let key = words.first else { return nil }
        guard !key.isEmpty, String(validating: key, as: UTF8.self) != nil else {
            throw .usage("KEY is a text of at least one character")
        }
        return key
    }
}

struct GetValueCommand: Command {
    static let words = ["kv", "get"]
    static let usage = "ubiquity kv get KEY [--store ID]"
    static let summary = "A key's value; ends with 1 if there is none."

    let arguments: KeyValueArguments
    let key: [UInt8]

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        self.arguments = try KeyValueArguments(arguments, most: 1)
        key = try self.arguments.key()
    }

    func run() throws(CommandFailure) -> Int32 {
        let client = try CommandHome().connect()
        let value = try asking("kv get") { () throws(DeviceClientError) in
            try client.value(store: arguments.store, key: key)
        }
        guard let value else {
            let store = shown(arguments.store)
            throw .failed("\(store) has no key '\(shown(key))'; `ubiquity kv list` shows its keys")
        }
        try CommandOutput.write(value.printedAsProperty + [UInt8(ascii: "\n")])
        return 0
    }
}

struct SetValueCommand: Command {
    static let words = ["kv", "set"]
    static let usage = "ubiquity kv set KEY [VALUE] [--store ID]"
    static let summary = "Sets a key; without VALUE it is read from standard input."

    let arguments: KeyValueArguments
    let key: [UInt8]

    /// The most that is read from standard input; what a store takes is the daemon's to say.
    private static var mostInput: Int { 8 << 20 }

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        self.arguments = try KeyValueArguments(arguments, most: 2)
        key = try self.arguments.key()
    }

    func run() throws(CommandFailure) -> Int32 {
        let client = try CommandHome().connect()
        let value =
            arguments.words.count > 1
            ? arguments.words[1] : try CommandInput.all(limit: SetValueCommand.mostInput)
        try asking("kv set") { () throws(DeviceClientError) in
            try client.setValue(
                store: arguments.store, key: key, value: PropertyValue.encoded(value))
        }
        return 0
    }
}

struct DeleteValueCommand: Command {
    static let words = ["kv", "delete"]
    static let usage = "ubiquity kv delete KEY [--store ID]"
    static let summary = "Removes a key."

    let arguments: KeyValueArguments
    let key: [UInt8]

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        self.arguments = try KeyValueArguments(arguments, most: 1)
        key = try self.arguments.key()
    }

    func run() throws(CommandFailure) -> Int32 {
        let client = try CommandHome().connect()
        try asking("kv delete") { () throws(DeviceClientError) in
            try client.setValue(store: arguments.store, key: key, value: nil)
        }
        return 0
    }
}

struct ListValuesCommand: Command {
    static let words = ["kv", "list"]
    static let usage = "ubiquity kv list [--store ID] [--json]"
    static let summary = "All keys and values of a store."

    let arguments: KeyValueArguments

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        self.arguments = try KeyValueArguments(arguments, flags: ["--json"], most: 0)
    }

    func run() throws(CommandFailure) -> Int32 {
        let client = try CommandHome().connect()
        let rows = try asking("kv list") { () throws(DeviceClientError) in
            try client.values(store: arguments.store)
        }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        if arguments.isJSON {
            let store = String(decoding: arguments.store, as: UTF8.self)
            try CommandOutput.say(
                .object([
                    ("store", .text(store)),
                    ("values", .list(rows.map { .keyValue($0.key, $0.value) })),
                ]))
        } else {
            for row in rows { try CommandOutput.sayValue(row.key, row.value) }
        }
        return 0
    }
}

extension [UInt8] {
    /// A stored value as `kv get` prints it; what is no property list is printed as it is.
    var printedAsProperty: [UInt8] { PropertyValue(binary: self)?.printed ?? self }
}

extension CommandOutput {
    /// A key, a tab and a value in one line; a key that is gone has neither tab nor value.
    static func sayValue(_ key: [UInt8], _ value: [UInt8]?) throws(CommandFailure) {
        let key = shown(key)
        guard let value else { return try say(key) }
        try say("\(key)\t\(shown(value.printedAsProperty))")
    }
}

extension JSONValue {
    static func keyValue(_ key: [UInt8], _ value: [UInt8]?) -> JSONValue {
        var members = [("key", JSONValue.text(String(decoding: key, as: UTF8.self)))]
        if let value, let property = PropertyValue(binary: value) {
            members += [("value", property.json), ("type", .text(property.type))]
        } else if let value {
            members += [("value", .base64(value)), ("type", .text("bytes"))]
        } else {
            members += [("value", .null), ("type", .null)]
        }
        return .object(members)
    }
}
