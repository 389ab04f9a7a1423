import DeviceSocket
import Dispatch
import Foundation
import SyncCore
import SyncWire
import Synchronization

/// A daemon for tests: the real socket, real files, and a world that the test changes.
///
/// It looks at the disk before each answer; a test tells it of its own changes with `look()`.
final class TestDaemon: Sendable {
    private let loop: Loop
    private let ended = DispatchSemaphore(value: 0)

    init(_ home: DeviceHome, _ world: DaemonWorld? = nil) throws {
        let endpoint = try DeviceEndpoint(lock: HomeLock(home: home))
        let loop = Loop(endpoint: endpoint, world: world ?? DaemonWorld(home: home))
        self.loop = loop
        let ended = ended
        Thread.detachNewThread {
            loop.run()
            ended.signal()
        }
    }

    deinit { stop() }

    /// Returns when the socket is gone; gives the world, for a daemon that comes back.
    @discardableResult
    func stop() -> DaemonWorld {
        let world = loop.stop()
        if ended.wait(timeout: .now() + 10) == .success { ended.signal() }
        return world
    }

    /// Changes the world, or looks at it, on the daemon's thread.
    @discardableResult
    func world<Result: Sendable>(
        _ body: @escaping @Sendable (inout DaemonWorld) -> Result
    ) -> Result {
        loop.perform { body(&$0.world) }
    }

    /// Tells the watching programs what has changed on the disk.
    func look() { loop.perform { $0.tellOfDisk() } }

    /// Another device has changed an item, and nothing on this disk.
    func tell(ofItem row: ItemRow) {
        loop.perform { loop in
            loop.world.items[row.path] = row
            loop.tell(.items(changed: [row], removed: []))
        }
    }

    /// Another device has written a key.
    func setFromElsewhere(
        _ key: String, _ value: [UInt8]?, _ reason: ValueChangeReason = .serverChange
    ) {
        loop.perform { loop in
            loop.world.values[Array(key.utf8)] = value
            loop.tell(.values(store: [], keys: [Array(key.utf8)], reason))
        }
    }

    func setAccount(_ account: DeviceStatus.Account?) {
        loop.perform { loop in
            loop.world.account = account
            loop.tell(.status(loop.world.status))
        }
    }
}

/// Everything but the inbox is used on the daemon's thread alone.
private final class Loop: @unchecked Sendable {
    var endpoint: DeviceEndpoint?
    var world: DaemonWorld
    private let inbox = Mutex<[@Sendable (Loop) -> Void]>([])
    private let wake: [Int32]
    private var isStopped = false

    init(endpoint: DeviceEndpoint, world: DaemonWorld) {
        self.endpoint = endpoint
        self.world = world
        var pair: [Int32] = [0, 0]
        pipe(&pair)
        wake = pair
    }

    deinit { for descriptor in wake { close(descriptor) } }

    func perform<Result: Sendable>(_ body: @escaping @Sendable (Loop) -> Result) -> Result {
        let result = Mutex<Result?>(nil)
        let done = DispatchSemaphore(value: 0)
        inbox.withLock {
            $0.append { loop in
                let value = body(loop)
                result.withLock { $0 = value }
                done.signal()
            }
        }
        write(wake[1], [0], 1)
        done.wait()
        return result.withLock { $0! }
    }

    func stop() -> DaemonWorld {
        if inbox.withLock({ _ in isStopped }) { return world }
        return perform { loop in
            loop.isStopped = true
            loop.world.watches = []
            return loop.world
        }
    }

    func run() {
        while !isStopped {
            var polled = [pollfd(fd: wake[0], events: Int16(POLLIN), revents: 0)]
            for interest in endpoint?.interests ?? [] {
                let events = (interest.reading ? POLLIN : 0) | (interest.writing ? POLLOUT : 0)
                polled.append(
                    pollfd(fd: interest.descriptor, events: Int16(events), revents: 0))
            }
            poll(&polled, nfds_t(polled.count), -1)
            if polled[0].revents != 0 { obey() }
            for entry in polled.dropFirst() where entry.revents != 0 {
                for arrival in endpoint?.process(entry.fd) ?? [] { take(arrival) }
            }
        }
        endpoint = nil
    }

    private func obey() {
        var byte: UInt8 = 0
        read(wake[0], &byte, 1)
        let body = inbox.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        body?(self)
    }

    private func take(_ arrival: DeviceArrival) {
        switch arrival {
        case .closed(let token): world.watches.removeAll { $0.token == token }
        case .request(let token, let request):
            tellOfDisk()
            do throws(DeviceFailure) {
                let reply = try answer(request, token)
                send(.reply(reply), request.id, token)
            } catch {
                send(.failure(error), request.id, token)
            }
        }
    }

    private func send(_ body: DeviceMessage.Body, _ request: UInt64, _ token: ConnectionToken) {
        _ = endpoint?.send(DeviceMessage(request: request, body: body), to: token)
    }

    func tellOfDisk() {
        let (changed, removed) = world.scan()
        guard !changed.isEmpty || !removed.isEmpty else { return }
        tell(.items(changed: changed, removed: removed))
    }

    func tell(_ event: DeviceEvent) {
        for index in world.watches.indices {
            let watch = world.watches[index]
            switch (watch.request.call, event) {
            case (.find(let search), .items(let rows, let removed)):
                var told = watch.told
                let changes = found(search, rows, removed, &told)
                world.watches[index].told = told
                if !changes.isEmpty { send(.event(.found(changes)), watch.request.id, watch.token) }
            case (.watchItems, .items), (.watchStatus, .status):
                send(.event(event), watch.request.id, watch.token)
            case (.watchValues(let store), .values(_, let keys, let reason)):
                send(
                    .event(.values(store: store, keys: keys, reason)), watch.request.id,
                    watch.token)
            default: break
            }
        }
    }

    private func found(
        _ search: ItemSearch, _ rows: [ItemRow], _ removed: [RemovedItem],
        _ told: inout [ItemID: ItemRow]
    ) -> FoundChanges {
        var changes = FoundChanges()
        for row in rows {
            let before = told.removeValue(forKey: row.item)
            if world.matches(search, row) {
                told[row.item] = row
                if before == nil { changes.added.append(row) } else { changes.changed.append(row) }
            } else if before != nil {
                changes.left.append(row)
            }
        }
        for item in removed where told.removeValue(forKey: item.item) != nil {
            changes.removed.append(item)
        }
        return changes
    }

    private func find(
        _ search: ItemSearch, _ request: DeviceRequest, _ token: ConnectionToken
    ) -> DeviceReply {
        world.searches.append(search)
        let rows = world.items.values.filter { world.matches(search, $0) }
        let told = Dictionary(uniqueKeysWithValues: rows.map { ($0.item, $0) })
        world.watches.append(.init(token: token, request: request, told: told))
        return .found(FoundItems(rows: rows, visited: UInt64(world.items.count)))
    }

    private func answer(
        _ request: DeviceRequest, _ token: ConnectionToken
    ) throws(DeviceFailure) -> DeviceReply {
        switch request.call {
        case .watchItems, .watchValues, .watchStatus:
            world.watches.append(.init(token: token, request: request))
        default: break
        }
        switch request.call {
        case .status, .watchStatus: return .status(world.status)
        case .openContainer(let id):
            let folder = home.containers + [UInt8(ascii: "/")] + id
            let documents = String(decoding: folder, as: UTF8.self) + "/Documents"
            try? FileManager.default.createDirectory(
                atPath: documents, withIntermediateDirectories: true)
            return .folder(folder)
        case .items(let path, let depth): return .items(world.rows(path, depth))
        case .watchItems(let path): return .items(world.rows(path, .all))
        case .find(let search) where world.findsItems: return find(search, request, token)
        case .content(_, let version?, let offset):
            let bytes = Array((world.contents[version] ?? []).dropFirst(Int(offset)))
            return .content(
                ContentPart(bytes: bytes, size: offset + UInt64(bytes.count), version: version))
        case .noteRead(let path, let version):
            world.readings[path, default: []].append(version)
            return .done
        case .value(_, let key): return .value(world.values[key])
        case .values, .watchValues:
            return .values(world.values.map { KeyValueRow(key: $0.key, value: $0.value) })
        case .setValue(_, let key, let value):
            if value?.count ?? 0 > world.mostBytes {
                throw DeviceFailure(.overLimit, "too large")
            }
            world.values[key] = value
            for watch in world.watches where watch.token != token {
                guard case .watchValues(let store) = watch.request.call else { continue }
                let event = DeviceEvent.values(store: store, keys: [key], .serverChange)
                send(.event(event), watch.request.id, watch.token)
            }
            return .done
        case .cancel(let request):
            world.watches.removeAll { $0.token == token && $0.request.id == request }
            return .done
        default: throw DeviceFailure(.unsupported, "not in a test")
        }
    }

    private var home: DeviceHome { world.home }
}
