import Synchronization

/// Counts open connections, in all and for each address, against their limits.
final class ConnectionCaps: Sendable {
    private struct State {
        var total = 0
        var byHost: [String: Int] = [:]
    }

    private let totalMax: Int
    private let perHostMax: Int
    private let state = Mutex(State())

    init(totalMax: Int, perHostMax: Int) {
        self.totalMax = totalMax
        self.perHostMax = perHostMax
    }

    /// Counts a connection; false if it is one too many.
    func admit(_ host: String) -> Bool {
        state.withLock { state in
            let count = state.byHost[host, default: 0]
            guard state.total < totalMax, count < perHostMax else { return false }
            state.total += 1
            state.byHost[host] = count + 1
            return true
        }
    }

    func release(_ host: String) {
        state.withLock { state in
            state.total -= 1
            let count = state.byHost[host, default: 1] - 1
            state.byHost[host] = count > 0 ? count : nil
        }
    }

    /// How many connections are open.
    var total: Int {
        state.withLock { $0.total }
    }
}
