import DeviceSocket
import Foundation

/// The files of one key-value store in a device's home, for the time without a daemon.
///
/// Writes that wait for a daemon are in a file that all programs share; whoever brings them there
/// holds its lock. What a program has seen is in a file of its own: losing it costs nothing but a
/// notification too many.
struct KeyValueFiles: Sendable {
    private let folder: [UInt8]
    private let waiting: [UInt8]
    private let lock: [UInt8]
    private let seen: [UInt8]

    init(home: DeviceHome, store: String, program: String) {
        folder = home.state.appending("key-values")
        let store = fileName(store)
        waiting = folder.appending("\(store).waiting.plist")
        lock = folder.appending("\(store).lock")
        seen = folder.appending("\(store).\(fileName(program)).seen.plist")
    }

    // MARK: Waiting writes

    func waitingWrites() -> [[UInt8]: [UInt8]?] {
        guard let list = read(waiting) else { return [:] }
        return list.byBytes.mapValues { value in
            // An array with the value, or an empty one for a removed key.
            (value as? [Data])?.first.map { Array($0) }
        }
    }

    /// Adds a write, which is durable when this returns.
    func addWaiting(_ key: [UInt8], _ value: [UInt8]?) throws(FileFailure) {
        try whileLocked { () throws(FileFailure) in
            var writes = waitingWrites()
            writes[key] = .some(value)
            try writeWaiting(writes)
        }
    }

    /// Brings the waiting writes to where they belong; those that it gives back go on waiting.
    func bringWaiting(
        _ bring: ([[UInt8]: [UInt8]?]) -> [[UInt8]: [UInt8]?]
    ) throws(FileFailure) {
        guard try FileSystem.look(waiting) != nil else {
            _ = bring([:])
            return
        }
        try whileLocked { () throws(FileFailure) in
            let rest = bring(waitingWrites())
            if rest.isEmpty { FileSystem.remove(waiting) } else { try writeWaiting(rest) }
        }
    }

    private func writeWaiting(_ writes: [[UInt8]: [UInt8]?]) throws(FileFailure) {
        let list: [[UInt8]: Any] = writes.mapValues { value in value.map { [Data($0)] } ?? [] }
        try write(list.byText, to: waiting)
    }

    private func whileLocked(
        _ body: () throws(FileFailure) -> Void
    ) throws(FileFailure) {
        try FileSystem.makePrivateFolders(folder)
        let descriptor = try FileSystem.lock(lock)
        defer { FileSystem.close(descriptor) }
        try body()
    }

    // MARK: Seen values

    /// What a program has seen.
    struct Seen: Hashable, Sendable {
        /// The 16 bytes of the account's identifier.
        var account: [UInt8]
        var values: [[UInt8]: [UInt8]]
    }

    /// Nil if this program has never seen the store.
    func seenValues() -> Seen? {
        guard
            let list = read(seen), let account = list["account"] as? Data,
            let values = list["values"] as? [String: Any]
        else { return nil }
        return Seen(
            account: Array(account),
            values: values.byBytes.compactMapValues { ($0 as? Data).map { Array($0) } })
    }

    func writeSeen(_ new: Seen) throws(FileFailure) {
        try FileSystem.makePrivateFolders(folder)
        let values = new.values.mapValues { Data($0) }.byText
        try write(["account": Data(new.account), "values": values], to: seen)
    }

    // MARK: Property lists

    private func read(_ path: [UInt8]) -> [String: Any]? {
        guard let data = try? Data(contentsOf: fileURL(path, isFolder: false)) else { return nil }
        let list = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil)
        return list as? [String: Any]
    }

    private func write(_ list: [String: Any], to path: [UInt8]) throws(FileFailure) {
        guard
            let data = try? PropertyListSerialization.data(
                fromPropertyList: list, format: .binary, options: 0)
        else { return }
        try SafeWrite.replace(path, with: data)
    }
}

// Keys are bytes, and stand as base64 in property lists.

extension [[UInt8]: Any] {
    fileprivate var byText: [String: Any] {
        [String: Any](
            uniqueKeysWithValues: map { (Data($0.key).base64EncodedString(), $0.value) })
    }
}

extension [[UInt8]: Data] {
    fileprivate var byText: [String: Data] {
        [String: Data](
            uniqueKeysWithValues: map { (Data($0.key).base64EncodedString(), $0.value) })
    }
}

extension [String: Any] {
    fileprivate var byBytes: [[UInt8]: Any] {
        [[UInt8]: Any](
            compactMap { key, value in Data(base64Encoded: key).map { (Array($0), value) } },
            uniquingKeysWith: { $1 })
    }
}

/// A name that any identifier has as a file: letters, digits, dots and dashes stay.
private func fileName(_ identifier: String) -> String {
    identifier.utf8.map { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
            String(UnicodeScalar(byte))
        default: "_\(byte)_"
        }
    }.joined()
}
