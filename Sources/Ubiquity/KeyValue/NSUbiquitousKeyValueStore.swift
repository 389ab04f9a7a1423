import DeviceSocket
public import Foundation
import Glibc
import SyncWire

/// A small dictionary that is the same on all devices of an account.
///
/// Follows Apple's documentation of NSUbiquitousKeyValueStore. Values are those of property lists:
/// texts, numbers, dates, data, arrays and dictionaries of them. Each key is one register: of
/// two writes that did not know of each other the later one wins, and the value that lost is kept
/// at the cloud. Values that depend on each other belong in one dictionary.
///
/// ```swift
/// let store = NSUbiquitousKeyValueStore.default
/// let token = NotificationCenter.default.addObserver(
///     forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store,
///     queue: .main
/// ) { _ in print(store.string(forKey: "theme") ?? "none") }
/// store.set("dark", forKey: "theme")
/// store.synchronize()
/// ```
///
/// The store works without a daemon too: what is written then is kept in the device's home and
/// goes to the cloud later. The limits, 1024 keys and 1 MiB in all, are the account's; a write
/// that passes one is undone, and a notification with
/// ``NSUbiquitousKeyValueStoreQuotaViolationChange`` names its key.
open class NSUbiquitousKeyValueStore: NSObject, @unchecked Sendable {
    private static let shared: NSUbiquitousKeyValueStore = {
        // A short program may set a value and be done.
        atexit { NSUbiquitousKeyValueStore.default.flush(seconds: 2) }
        return NSUbiquitousKeyValueStore(session: .shared)
    }()

    /// The store that the program's entitlements name.
    ///
    /// A program without an entitlements file has the store `org.ubiquity.notes`.
    public class var `default`: NSUbiquitousKeyValueStore { shared }

    /// Posted on the main queue when values have changed from outside, never for own writes.
    ///
    /// The object is the store. The changes since the program's last run are posted soon after the
    /// store is first used.
    public static let didChangeExternallyNotification = NSNotification.Name(
        "NSUbiquitousKeyValueStoreDidChangeExternallyNotification")

    /// Nil if the program has no store.
    private let link: KeyValueLink?

    init(
        session: DeviceSession, program: String = ProcessInfo.processInfo.processName
    ) {
        let identifier = try? session.programEntitlements().keyValueStore
        let owner = StoreReference()
        link = identifier.map { identifier in
            KeyValueLink(session: session, store: identifier, program: program) { keys, reason in
                owner.post(keys, reason)
            }
        }
        super.init()
        owner.store = self
        link?.begin()
    }

    deinit { link?.end() }

    /// Gives the key's value, nil if it has none.
    open func object(forKey aKey: String) -> Any? {
        link?.value(Array(aKey.utf8)).map(KeyValueCoding.value)
    }

    /// Makes writes durable and gives false if that cannot be done now.
    ///
    /// It does not wait for the network. False: the program's entitlements name no store, or
    /// neither the device's daemon nor its home took the writes; they stay in memory.
    @discardableResult
    open func synchronize() -> Bool { link?.flush(seconds: 30) ?? false }

    private func flush(seconds: Int) { _ = link?.flush(seconds: seconds) }

    /// Gives all keys with their values.
    open var dictionaryRepresentation: [String: Any] {
        let values = link?.all ?? [:]
        return Dictionary(
            values.map {
                (String(decoding: $0.key, as: UTF8.self), KeyValueCoding.value(of: $0.value))
            }, uniquingKeysWith: { $1 })
    }

    /// Removes the key and its value.
    open func removeObject(forKey aKey: String) { link?.set(nil, for: Array(aKey.utf8)) }

    /// Sets the key's value; nil removes the key.
    ///
    /// - Precondition: The value is one of a property list, as in Apple's store.
    open func set(_ anObject: Any?, forKey aKey: String) {
        guard let anObject else { return removeObject(forKey: aKey) }
        guard let bytes = KeyValueCoding.bytes(of: anObject) else {
            preconditionFailure(
                "a value of type \(type(of: anObject)) cannot be in a property list")
        }
        link?.set(bytes, for: Array(aKey.utf8))
    }
}

/// The store that notifications are posted for, as long as it is there.
private final class StoreReference: @unchecked Sendable {
    /// Written once, before anything is posted.
    weak var store: NSUbiquitousKeyValueStore?

    func post(_ keys: [[UInt8]], _ reason: ValueChangeReason) {
        let keys = keys.map { String(decoding: $0, as: UTF8.self) }
        MainQueue.async {
            guard let store = self.store else { return }
            NotificationCenter.default.post(
                name: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store,
                userInfo: [
                    NSUbiquitousKeyValueStoreChangeReasonKey: Int(reason.rawValue),
                    NSUbiquitousKeyValueStoreChangedKeysKey: keys,
                ])
        }
    }
}
