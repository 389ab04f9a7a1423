package import DeviceSocket
import Glibc
import SyncCore
import SyncStore
package import SyncTransport
import SyncWire

/// The device's daemon: one thread that waits for the disk, the server and the programs at once.
package final class Daemon {
    let home: DeviceHome
    var store: any DeviceStore
    let client: HTTPClient
    let endpoint: DeviceEndpoint
    var session: Session?
    /// Why there is no session although an account was joined.
    var trouble: String?
    var waits: [Wait] = []
    var watches: [Watch] = []
    var resolutions: [Resolution] = []
    var openings: [Opening] = []
    var restorations: [Restoration] = []
    var demands: [Demand] = []
    var room = FreeRoom()
    /// Bytes a second to the server and from it; 0 for no limit.
    var limits = (up: UInt64(0), down: UInt64(0))
    var findings: [Finding] = []
    var rootQuestions: [RootQuestion] = []
    var deviceNames: [DeviceID: String] = [:]
    /// How the content that a program reads piece by piece is cut; its list can be long.
    var lastCut: (version: VersionID, chunks: [ChunkReference])?
    private var retrySessionAt: Instant?
    private var lastStatus: DeviceStatusKey?

    /// What every device shows besides the containers that the account has.
    static let containers = [Name("iCloud.org.ubiquity.notes")].compactMap { $0 }

    /// Takes the home; refused if another daemon has it.
    package init(home: DeviceHome) throws(DaemonStartFailure) {
        self.home = home
        do {
            let lock = try HomeLock(home: home)
            endpoint = try DeviceEndpoint(lock: lock)
            store = try Daemon.openStore(home)
            client = try HTTPClient()
            try readRoom()
            try readLimits()
        } catch {
            throw DaemonStartFailure(error, home: home)
        }
    }

    /// Ends a wait of the loop; may be used by signal handlers and other threads.
    package var waker: HTTPClientWaker { client.waker }

    /// Runs until `isStopping` says so; it is asked after each wake.
    ///
    /// It is ready when the account is taken up, the containers have their `Documents`, and
    /// programs are answered.
    package func run(until isStopping: () -> Bool, whenReady: () -> Void) {
        adoptPendingIdentity()
        beginSession()
        prepare(until: isStopping)
        whenReady()
        while !isStopping() { turn() }
        session?.end()
    }

    /// Programs are heard once the containers' folders are there.
    private func prepare(until isStopping: () -> Bool) {
        let end = Clock.now().steady.advanced(milliseconds: 10_000)
        while let session, !session.hasDocuments(of: Daemon.containers),
            session.failure == nil, Clock.now().steady < end, !isStopping()
        {
            let watcher = PollDescriptor(session.disk.watcher.descriptor)
            _ = client.poll([watcher], timeoutMilliseconds: session.hasWork ? 0 : 20)
            _ = session.watch()
            session.step()
        }
    }

    private func turn() {
        let ready = client.poll(descriptors(), timeoutMilliseconds: timeout())
        takePrograms(ready)
        guard let session else {
            retrySession()
            return
        }
        let markers = session.watch()
        passMarkers(markers)
        session.step()
        tell(session.takeNotices())
        settleRootQuestions()
        settleFindings()
        settleWaits()
        settleResolutions()
        settleOpenings()
        settleRestorations()
        settleDemands()
        makeRoom()
        tellStatus()
        if let failure = session.failure { restart(failure) }
    }

    private func descriptors() -> [PollDescriptor] {
        var descriptors = endpoint.interests.map { interest in
            var events: PollDescriptor.Events = []
            if interest.reading { events.insert(.readable) }
            if interest.writing { events.insert(.writable) }
            return PollDescriptor(interest.descriptor, events)
        }
        if let session { descriptors.append(PollDescriptor(session.disk.watcher.descriptor)) }
        return descriptors
    }

    private func timeout() -> Int {
        if session?.hasWork == true || isFinding { return 0 }
        let now = Clock.now().steady
        var next = retrySessionAt ?? now.advanced(milliseconds: 60_000)
        if let session {
            for due in [
                session.wakeAt, session.lookAgainAt, session.disk.watcher.nextDue,
                session.link.nextAttempt, session.rootsDue, room.due, session.transferDue,
                session.memoryDue, session.copyDue,
            ] {
                if let due { next = min(next, due) }
            }
        }
        for wait in waits { next = min(next, wait.deadline) }
        if next <= now { return 0 }
        return Int(min(next.milliseconds(since: now) + 1, 60_000))
    }

    private func takePrograms(_ ready: [PollDescriptor]) {
        for descriptor in ready {
            for arrival in endpoint.process(descriptor.descriptor) {
                switch arrival {
                case .request(let token, let request): take(request, from: token)
                case .closed(let token): forget(token)
                }
            }
        }
    }

    // MARK: Sessions

    /// Begins to work for the account of the store, if there is one.
    func beginSession() {
        retrySessionAt = nil
        trouble = nil
        session?.end()
        session = nil
        do throws(StoreError) {
            guard let identity = try identity() else {
                // What is written before an account is joined is taken along when one is.
                HomeFolders.make(Daemon.containers, in: home)
                return
            }
            if let token = identity.token { begin(identity, token) }
        } catch {
            cannotRead(error)
        }
    }

    private func cannotRead(_ error: StoreError) {
        trouble = "the device's own state cannot be read: \(error)"
        let wait: Int64 = beginAnew(after: error) ? 0 : 5_000
        retrySessionAt = Clock.now().steady.advanced(milliseconds: wait)
    }

    private func begin(_ identity: DeviceIdentity, _ token: String) {
        do throws(SessionError) {
            let session = try Session(
                home: home, identity: identity, token: token, store: store, client: client)
            self.session = session
            session.limit(up: limits.up, down: limits.down)
            session.start(containers: Daemon.containers)
        } catch {
            switch error {
            case .disk(let error) where error.isApart: trouble = HomeFolders.apart(home)
            case .disk(let error): trouble = "the home cannot be used: \(error)"
            case .store(let error): return cannotRead(error)
            }
            retrySessionAt = Clock.now().steady.advanced(milliseconds: 5_000)
        }
    }

    private func retrySession() {
        settleRootQuestions()
        settleFindings()
        tellStatus()
        failWaits()
        guard let due = retrySessionAt, due <= Clock.now().steady else { return }
        beginSession()
    }

    /// What memory holds is more than what is durable: it is given up, and the disk is looked at
    /// anew when there is room again.
    private func restart(_ failure: StoreError) {
        session?.end()
        session = nil
        trouble = "the device's own state cannot be written: \(failure)"
        let wait: Int64 = beginAnew(after: failure) ? 0 : 2_000
        retrySessionAt = Clock.now().steady.advanced(milliseconds: wait)
    }

    /// A status that is the same for a watching program is not told again.
    private func tellStatus() {
        guard watches.contains(where: \.isStatus) else { return }
        let status = status()
        let key = DeviceStatusKey(status)
        guard key != lastStatus else { return }
        lastStatus = key
        for watch in watches where watch.isStatus { send(.event(.status(status)), to: watch) }
    }
}
