package import SyncWire

/// The daemon's end of a home's socket, driven by the daemon's own loop.
///
/// Nothing here waits: the loop polls ``interests``, and tells with ``process(_:)`` which
/// descriptor is ready. All of it is used from one thread.
package final class DeviceEndpoint {
    private let lock: HomeLock
    private let listener: Int32
    /// Given up for a moment when the process has no descriptor left, to turn a caller away.
    private var spare: Int32
    private var connections: [Int32: EndpointConnection] = [:]
    private var descriptors: [ConnectionToken: Int32] = [:]
    private var lastToken: UInt64 = 0

    /// The most programs that are connected at the same time.
    package static var mostConnections: Int { 256 }

    /// Replaces the socket that a killed daemon left: the lock says that nobody listens there.
    package init(lock: HomeLock) throws(SystemError) {
        self.lock = lock
        let place = try SocketPlace(home: lock.home)
        try removeFile(place.path)
        listener = try makeSocket(isBlocking: false)
        spare = openSpare()
        try bindPrivately(listener, to: place.path)
        try listen(on: listener)
    }

    deinit {
        // The file first: who comes now shall find no daemon, and not wait for one that is going.
        try? removeFile(lock.home.socket)
        closeDescriptor(listener)
        if spare >= 0 { closeDescriptor(spare) }
        for descriptor in connections.keys { closeDescriptor(descriptor) }
    }

    /// What to poll for, now.
    package var interests: [DescriptorInterest] {
        var interests = [
            DescriptorInterest(descriptor: listener, reading: true, writing: false)
        ]
        for (descriptor, connection) in connections {
            interests.append(
                DescriptorInterest(
                    descriptor: descriptor, reading: connection.wantsToRead,
                    writing: connection.wantsToWrite))
        }
        return interests
    }

    /// Goes on with a descriptor that is ready to read or write, or has failed.
    ///
    /// A descriptor that is none of this socket's is passed over.
    package func process(_ descriptor: Int32) -> [DeviceArrival] {
        if descriptor == listener {
            acceptAll()
            return []
        }
        guard let connection = connections[descriptor] else { return [] }
        let requests = connection.read()
        connection.flush()
        var arrivals = requests.map { DeviceArrival.request(connection.token, $0) }
        if connection.isOver {
            drop(descriptor)
            arrivals.append(.closed(connection.token))
        }
        return arrivals
    }

    /// Sends now what fits and the rest when there is room.
    ///
    /// False if the connection is gone, or is closed now because its program does not read: its
    /// watches are over, and no ``DeviceArrival/closed(_:)`` follows. A message over the limit of a
    /// frame is replaced by a failure.
    package func send(_ message: DeviceMessage, to token: ConnectionToken) -> Bool {
        guard let descriptor = descriptors[token], let connection = connections[descriptor] else {
            return false
        }
        connection.send(message)
        guard connection.isOver else { return true }
        drop(descriptor)
        return false
    }

    private func acceptAll() {
        while true {
            do throws(SystemError) {
                guard let descriptor = try acceptWithoutWaiting(listener) else { return }
                take(descriptor)
            } catch {
                // Left in the queue the caller would wake the loop without end.
                guard error.isLackOfDescriptors, spare >= 0 else { return }
                closeDescriptor(spare)
                if let refused = try? acceptWithoutWaiting(listener) { closeDescriptor(refused) }
                spare = openSpare()
                return
            }
        }
    }

    private func take(_ descriptor: Int32) {
        guard connections.count < DeviceEndpoint.mostConnections else {
            closeDescriptor(descriptor)
            return
        }
        lastToken += 1
        let token = ConnectionToken(value: lastToken)
        connections[descriptor] = EndpointConnection(descriptor, token)
        descriptors[token] = descriptor
    }

    private func drop(_ descriptor: Int32) {
        guard let connection = connections.removeValue(forKey: descriptor) else { return }
        descriptors[connection.token] = nil
        closeDescriptor(descriptor)
    }
}

/// One program's connection; never used again for another.
package struct ConnectionToken: Hashable, Sendable {
    let value: UInt64
}

/// What to poll a descriptor for.
package struct DescriptorInterest: Hashable, Sendable {
    package let descriptor: Int32
    package let reading: Bool
    package let writing: Bool
}

/// What came from the programs.
package enum DeviceArrival: Hashable, Sendable {
    case request(ConnectionToken, DeviceRequest)
    /// The program is gone, and its watches with it.
    case closed(ConnectionToken)
}
