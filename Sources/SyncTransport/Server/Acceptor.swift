import CLinux
import Glibc

/// The listening socket, which it owns, and how accepted connections are dealt to loops.
final class Acceptor {
    let descriptor: Int32
    /// True while there are no descriptors left; the loop does not watch the listener then, and
    /// tries again shortly.
    private(set) var isPaused = false
    /// Kept so that a connection can be accepted, and closed, when there are no descriptors left.
    private var spare: Int32
    private var turn = 0

    init(listening descriptor: Int32) {
        self.descriptor = descriptor
        spare = Acceptor.openSpare()
    }

    /// Accepts what waits and deals it to the loops in turn.
    func accept(into loops: [LoopInbox], caps: ConnectionCaps) {
        isPaused = false
        while let (connection, peer) = acceptOne() {
            guard caps.admit(peer.host) else {
                refuse(connection)
                continue
            }
            turn = (turn + 1) % loops.count
            loops[turn].post(.adopt(descriptor: connection, peer: peer))
        }
    }

    deinit {
        close(descriptor)
        if spare >= 0 {
            close(spare)
        }
    }

    private func acceptOne() -> (Int32, PeerAddress)? {
        while true {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let connection = unsafe clinux_accept(descriptor, &storage, &length)
            if connection >= 0 { return (connection, SocketAddress.peer(storage)) }
            switch errno {
            case EAGAIN:
                return nil
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                guard dropOne() else { return nil }
            default:
                // The client went away while it waited, or a signal came.
                continue
            }
        }
    }

    /// Accepts with the spare descriptor and closes, so that the client is not left waiting.
    private func dropOne() -> Bool {
        guard spare >= 0 else {
            spare = Acceptor.openSpare()
            isPaused = spare < 0
            return !isPaused
        }
        close(spare)
        let connection = clinux_accept(descriptor, nil, nil)
        if connection >= 0 {
            close(connection)
        }
        spare = Acceptor.openSpare()
        isPaused = connection < 0
        return !isPaused
    }

    private func refuse(_ connection: Int32) {
        let response = HTTPRejection.tooManyConnections.response
        guard case .bytes(let body) = response.body else { return }
        var head = HTTPDate()
        var bytes = HTTPResponseHead(
            status: response.status, headers: response.headers, contentLength: Int64(body.count),
            closes: true, saysKeepAlive: false, date: head.current()
        ).encoded(reservingFor: body.count)
        bytes += body
        // As much as fits at once: the client is not worth waiting for.
        _ = unsafe send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        close(connection)
    }

    private static func openSpare() -> Int32 {
        unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    }
}
