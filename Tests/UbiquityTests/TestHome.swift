import DeviceSocket
import Foundation
import Testing

@testable import Ubiquity

/// A device's home for one test, removed at its end.
final class TestHome: Sendable {
    let home: DeviceHome
    let session: DeviceSession
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ubiquity-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        home = DeviceHome(path: Array(url.path.utf8))
        session = DeviceSession(home: home) { () throws(EntitlementsError) in .standard }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// A session as another program has it, or this one after a new start.
    func anotherSession() -> DeviceSession {
        DeviceSession(home: home) { () throws(EntitlementsError) in .standard }
    }

    func documents() throws -> URL {
        try session.containerFolder(nil).appendingPathComponent("Documents")
    }
}

/// What a notification said, as far as it may cross threads.
struct Posted: Sendable {
    var reason: Int?
    var keys: [String] = []
    var added: [String] = []
    var changed: [String] = []
    var removed: [String] = []

    init(_ notification: Notification) {
        let info = notification.userInfo ?? [:]
        reason = info[NSUbiquitousKeyValueStoreChangeReasonKey] as? Int
        keys = info[NSUbiquitousKeyValueStoreChangedKeysKey] as? [String] ?? []
        added = names(info[NSMetadataQueryUpdateAddedItemsKey])
        changed = names(info[NSMetadataQueryUpdateChangedItemsKey])
        removed = names(info[NSMetadataQueryUpdateRemovedItemsKey])
    }

    private func names(_ items: Any?) -> [String] {
        (items as? [NSMetadataItem] ?? []).compactMap {
            $0.value(forAttribute: NSMetadataItemFSNameKey) as? String
        }.sorted()
    }
}

/// The notifications of one name and object, from the moment that this is made.
final class Notifications: Sendable {
    let stream: AsyncStream<Posted>
    private let token: Unchecked<any NSObjectProtocol>

    init(_ name: Notification.Name, _ object: AnyObject?) {
        let (stream, continuation) = AsyncStream.makeStream(of: Posted.self)
        self.stream = stream
        token = Unchecked(
            NotificationCenter.default.addObserver(forName: name, object: object, queue: .main) {
                continuation.yield(Posted($0))
            })
    }

    deinit { NotificationCenter.default.removeObserver(token.value) }

    func next() async -> Posted? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }
}
