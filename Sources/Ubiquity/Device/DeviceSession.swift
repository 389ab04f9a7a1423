import DeviceSocket
import Foundation
import SyncCore
import SyncWire
import Synchronization

/// This program's dealings with the daemon of one home: the connection, the account, the
/// containers.
final class DeviceSession: Sendable {
    /// That of the home and the entitlements that the environment names.
    static let shared = DeviceSession(home: .fromEnvironment()) {
        () throws(EntitlementsError) in try Entitlements.ofProgram()
    }

    let home: DeviceHome?
    private let entitlements: Result<Entitlements, EntitlementsError>
    /// What this program has decided of conflicts.
    let marks = ConflictMarks()
    private let state = Mutex(State())
    /// Says every change of the account, for as long as the session lives.
    private let accountWatch = Mutex<LastingWatch?>(nil)

    private struct State {
        var client: DeviceClient?
        var status: DeviceStatus?
        var feeds: [String: ItemFeed] = [:]
        /// Those with conditions, for as long as their queries keep them.
        var searches: [Search] = []
    }

    private struct Search {
        weak var feed: ItemFeed?
    }

    init(home: DeviceHome?, entitlements: () throws(EntitlementsError) -> Entitlements) {
        self.home = home
        self.entitlements = Result(catching: entitlements)
    }

    func programEntitlements() throws(UbiquityUnavailability) -> Entitlements {
        do throws(EntitlementsError) {
            return try entitlements.get()
        } catch {
            throw UbiquityUnavailability(error)
        }
    }

    // MARK: Connection

    /// Asks the daemon; asks again over a new connection if the old one turns out to be gone.
    ///
    /// So what is asked must bear being asked twice.
    func ask<Answer>(
        _ question: (DeviceClient) throws(DeviceClientError) -> Answer
    ) throws(DeviceClientError) -> Answer {
        let client = try client()
        do throws(DeviceClientError) {
            return try question(client)
        } catch {
            guard error == .disconnected else { throw error }
            forget(client)
        }
        return try question(try self.client())
    }

    /// The connection, made if there is none.
    func client() throws(DeviceClientError) -> DeviceClient {
        guard let home else { throw .notRunning }
        let result: Result<DeviceClient, DeviceClientError> = state.withLock { state in
            if let client = state.client { return .success(client) }
            return Result { () throws(DeviceClientError) in
                let client = try DeviceClient(home: home)
                state.client = client
                return client
            }
        }
        return try result.get()
    }

    /// The connection is of no use any more.
    func forget(_ client: DeviceClient) {
        state.withLock { state in
            if state.client === client { state.client = nil }
        }
    }

    // MARK: Account

    /// Nil while none is joined or none is known: the daemon tells it.
    var account: AccountID? { lastStatus?.account?.id }

    private var lastStatus: DeviceStatus? {
        watchAccount()
        if let status = state.withLock({ $0.status }) { return status }
        guard
            let status = try? ask({ client throws(DeviceClientError) in try client.status() })
        else { return nil }
        return state.withLock { state in
            if state.status == nil { state.status = status }
            return state.status
        }
    }

    /// From now on the program is told of another account.
    func watchAccount() {
        accountWatch.withLock { watch in
            guard watch == nil, home != nil else { return }
            watch = LastingWatch(self, .watchStatus) { [weak self] update in
                switch update {
                case .reply(.status(let status)), .event(.status(let status)): self?.take(status)
                default: break
                }
            }
            watch?.begin()
        }
    }

    private func take(_ status: DeviceStatus) {
        let (before, feeds) = state.withLock { state in
            defer { state.status = status }
            let searches = state.searches.compactMap(\.feed)
            return (state.status, state.feeds.values.map(\.self) + searches)
        }
        guard let before, before.account?.id != status.account?.id else { return }
        for feed in feeds { feed.askAgain() }
        MainQueue.async {
            NotificationCenter.default.post(name: .NSUbiquityIdentityDidChange, object: nil)
        }
    }

    // MARK: Containers

    /// The folder of a container that the program may use, which is there when this returns.
    func containerFolder(_ identifier: String?) throws(UbiquityUnavailability) -> URL {
        guard home != nil else { throw .noHome }
        let identifier = try entitledContainer(identifier)
        let path = try open(identifier)
        return fileURL(path, isFolder: true)
    }

    private func entitledContainer(_ identifier: String?) throws(UbiquityUnavailability) -> String {
        let allowed = try programEntitlements().containers
        guard let identifier else {
            guard let first = allowed.first else { throw .notEntitled("a container") }
            return first
        }
        guard allowed.contains(identifier) else { throw .notEntitled(identifier) }
        return identifier
    }

    private func open(_ identifier: String) throws(UbiquityUnavailability) -> [UInt8] {
        watchAccount()
        let status: DeviceStatus
        let path: [UInt8]
        do throws(DeviceClientError) {
            status = try ask { client throws(DeviceClientError) in try client.status() }
            path = try ask { client throws(DeviceClientError) in
                try client.openContainer(Array(identifier.utf8))
            }
        } catch {
            throw UbiquityUnavailability(error)
        }
        guard status.account != nil else { throw .signedOut }
        return path
    }

    /// The items of a container, as they are and as they change.
    func feed(_ container: String) -> ItemFeed {
        state.withLock { state in
            if let feed = state.feeds[container] { return feed }
            let feed = ItemFeed(session: self, container: container)
            state.feeds[container] = feed
            return feed
        }
    }

    /// The items of a container that a condition is true of, for one query.
    func feed(_ container: String, _ condition: ItemCondition) -> ItemFeed {
        let feed = ItemFeed(session: self, container: container, condition: condition)
        state.withLock { state in
            state.searches.removeAll { $0.feed == nil }
            state.searches.append(Search(feed: feed))
        }
        return feed
    }
}
