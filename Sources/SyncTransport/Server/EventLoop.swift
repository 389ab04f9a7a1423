import Glibc

/// Runs connections on one thread.
///
/// Everything here is used by that thread alone; other threads leave commands in the inbox.
final class EventLoop {
    /// What all loops of a server share.
    struct Shared: Sendable {
        let configuration: HTTPServerConfiguration
        let caps: ConnectionCaps
        let tls: TLSContext?
        let bodyLimit: @Sendable (HTTPRequestHead) -> Int
        let handler: @Sendable (HTTPRequest, HTTPResponder) -> Void
    }

    private static let acceptRetryMilliseconds: UInt64 = 100

    let shared: Shared
    let inbox: LoopInbox
    let epoll: Epoll
    let parserSettings = ParserSettings()
    /// Where bytes are read to before they are parsed.
    let buffer: ReadBuffer
    /// The time of this turn, in milliseconds.
    private(set) var now: UInt64
    private(set) var isDraining = false
    private(set) var date = HTTPDate()

    private var acceptor: Acceptor?
    /// The loops that accepted connections are dealt to.
    private let peers: [LoopInbox]
    private var wheel: TimerWheel
    /// Connections by descriptor.
    private var connections: [Connection?] = []
    private var count = 0
    private var lastGeneration: UInt32 = 0
    private var shutDownDeadline: UInt64?

    /// Makes a loop; the one with the acceptor deals connections to all.
    init(
        shared: Shared, inbox: LoopInbox, peers: [LoopInbox], acceptor: Acceptor?
    ) throws(SystemError) {
        self.shared = shared
        self.inbox = inbox
        self.peers = peers
        self.acceptor = acceptor
        epoll = try Epoll()
        buffer = ReadBuffer(capacity: 128 * 1024)
        now = MonotonicClock.milliseconds()
        wheel = TimerWheel(now: now)
        try epoll.add(ConnectionKey(descriptor: inbox.wakeDescriptor, generation: 0), .readable)
        if let acceptor {
            try epoll.add(ConnectionKey(descriptor: acceptor.descriptor, generation: 0), .readable)
        }
    }

    /// Runs until it has been shut down.
    func run() {
        inbox.becomeOwner()
        while !isFinished {
            let events = epoll.wait(milliseconds: sleepMilliseconds)
            now = MonotonicClock.milliseconds()
            for (key, events) in events {
                receive(events, for: key)
                takeCommands()
            }
            for entry in wheel.advance(to: now) {
                fire(entry)
            }
            if acceptor?.isPaused ?? false {
                accept()
            }
            takeCommands()
        }
        end()
    }

    /// The date for the head of an answer.
    func currentDate() -> String {
        date.current()
    }

    /// Sets a connection's deadline; a later one costs nothing until the earlier time comes.
    func setDeadline(_ deadline: UInt64?, of connection: Connection) {
        connection.deadline = deadline
        guard let deadline else { return }
        let tick = TimerWheel.tick(at: deadline)
        if connection.scheduledTick.map({ tick < $0 }) ?? true {
            connection.scheduledTick = wheel.insert(connection.key, at: deadline)
        }
    }

    /// Forgets a connection that has closed its descriptor.
    func didClose(_ connection: Connection) {
        connections[Int(connection.key.descriptor)] = nil
        count -= 1
        shared.caps.release(connection.peer.host)
    }

    private var isFinished: Bool {
        guard let shutDownDeadline else { return false }
        return count == 0 || now >= shutDownDeadline
    }

    private var sleepMilliseconds: UInt64? {
        let timer = wheel.millisecondsToNext(from: now)
        let retry = (acceptor?.isPaused ?? false) ? EventLoop.acceptRetryMilliseconds : nil
        let end = shutDownDeadline.map { $0 > now ? $0 - now : 0 }
        return [timer, retry, end].compactMap { $0 }.min()
    }

    private func receive(_ events: Epoll.Events, for key: ConnectionKey) {
        guard key.generation != 0 else {
            if key.descriptor == inbox.wakeDescriptor {
                inbox.clearWake()
            } else if key.descriptor == acceptor?.descriptor {
                accept()
            }
            return
        }
        connection(key)?.receive(events)
    }

    private func connection(_ key: ConnectionKey) -> Connection? {
        let index = Int(key.descriptor)
        guard index < connections.count, let connection = connections[index],
            connection.key == key
        else { return nil }
        return connection
    }

    private func fire(_ entry: TimerWheel.Entry) {
        guard let connection = connection(entry.key), connection.scheduledTick == entry.tick else {
            return
        }
        connection.scheduledTick = nil
        guard let deadline = connection.deadline else { return }
        if deadline <= now {
            connection.receiveDeadline()
        } else {
            setDeadline(deadline, of: connection)
        }
    }
}

// MARK: Commands.

extension EventLoop {
    private func takeCommands() {
        while true {
            let commands = inbox.take()
            guard !commands.isEmpty else { return }
            for command in commands {
                run(command)
            }
        }
    }

    private func run(_ command: LoopCommand) {
        switch command {
        case .adopt(let descriptor, let peer):
            adopt(descriptor, peer)
        case .respond(let key, let response):
            connection(key)?.respond(response)
        case .openStream(let key, let headers, let stream):
            if let connection = connection(key) {
                connection.openStream(stream, headers)
            } else {
                stream.finish()
            }
        case .flush(let stream):
            connection(stream.key)?.flush(stream)
        case .shutDown(let deadline):
            shutDown(deadline)
        }
    }

    private func accept() {
        acceptor?.accept(into: peers, caps: shared.caps)
        if let acceptor {
            epoll.change(
                ConnectionKey(descriptor: acceptor.descriptor, generation: 0),
                acceptor.isPaused ? [] : .readable)
        }
    }

    private func adopt(_ descriptor: Int32, _ peer: PeerAddress) {
        lastGeneration = lastGeneration == .max ? 1 : lastGeneration + 1
        let key = ConnectionKey(descriptor: descriptor, generation: lastGeneration)
        while connections.count <= Int(descriptor) {
            connections.append(nil)
        }
        do {
            try epoll.add(key, .readable)
            let connection = try Connection(key: key, peer: peer, loop: self)
            connections[Int(descriptor)] = connection
            count += 1
            connection.start()
        } catch {
            close(descriptor)
            shared.caps.release(peer.host)
        }
    }

    private func shutDown(_ deadline: UInt64) {
        guard !isDraining else { return }
        isDraining = true
        shutDownDeadline = deadline
        if let acceptor {
            // What the kernel has accepted already would be reset with the listener.
            acceptor.accept(into: peers, caps: shared.caps)
            self.acceptor = nil
        }
        for connection in connections {
            connection?.drain()
        }
    }

    private func end() {
        acceptor = nil
        for connection in connections {
            connection?.close()
        }
        // A connection may have been dealt to this loop after its last turn.
        for case .adopt(let descriptor, let peer) in inbox.take() {
            close(descriptor)
            shared.caps.release(peer.host)
        }
    }
}
