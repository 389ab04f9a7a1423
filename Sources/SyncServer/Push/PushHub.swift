import SyncCore
import SyncTransport
import Synchronization

/// The open push streams of all accounts.
///
/// Frames of an account are offered in the order of its log, by the thread that commits. A stream
/// that is behind is dropped: its device reconnects and pulls.
final class PushHub: Sendable {
    /// One open stream.
    struct Subscriber: Sendable {
        let account: AccountID
        let device: DeviceID
        /// The hash of the token that opened it.
        let token: Digest
        let stream: PushStream
    }

    private struct Channel {
        var greeted: [ObjectIdentifier: Subscriber] = [:]
        /// Streams whose first frame is not known yet, with the newest head since they came.
        var waiting: [ObjectIdentifier: (subscriber: Subscriber, head: Position?)] = [:]

        var isEmpty: Bool { greeted.isEmpty && waiting.isEmpty }
    }

    private let channels = Mutex<[AccountID: Channel]>([:])
    private let frameBytes: Int
    private let metrics: Metrics

    init(frameBytes: Int, metrics: Metrics) {
        self.frameBytes = frameBytes
        self.metrics = metrics
    }

    /// Takes a stream in; what is committed from now on is not missed.
    func enter(_ subscriber: Subscriber) {
        let key = ObjectIdentifier(subscriber.stream)
        channels.withLock {
            $0[subscriber.account, default: Channel()].waiting[key] = (subscriber, nil)
        }
        let account = subscriber.account
        subscriber.stream.onClose { [weak self] in self?.leave(key, of: account) }
    }

    /// Greets a stream that has entered with the head that was read after it entered.
    func greet(_ subscriber: Subscriber, head: Position) {
        let key = ObjectIdentifier(subscriber.stream)
        channels.withLock { channels in
            guard let waiting = channels[subscriber.account]?.waiting.removeValue(forKey: key)
            else {
                return
            }
            let newest = waiting.head.map { $0.number > head.number ? $0 : head } ?? head
            channels[subscriber.account]?.greeted[key] = subscriber
            subscriber.stream.offer(PushFrame.hello(newest))
        }
    }

    /// Tells an account's streams what was committed.
    func publish(_ entries: [LogEntry], after: Position, to account: AccountID) {
        guard let head = entries.last?.position else { return }
        channels.withLock { channels in
            guard var channel = channels[account] else { return }
            for key in Array(channel.waiting.keys) { channel.waiting[key]?.head = head }
            channels[account] = channel
            let authors = Set(entries.map(\.author))
            var others: [PushStream] = []
            var taken = 0
            for subscriber in channel.greeted.values {
                guard authors.contains(subscriber.device) else {
                    others.append(subscriber.stream)
                    continue
                }
                let frame = PushFrame.log(
                    entries, after: after, for: subscriber.device, limit: frameBytes)
                taken += subscriber.stream.offer(frame) ? 1 : 0
            }
            if !others.isEmpty {
                let frame = PushFrame.log(entries, after: after, for: nil, limit: frameBytes)
                taken += PushStream.offer(frame, to: others)
            }
            metrics.pushFrames.add(taken)
            guard taken < channel.greeted.count else { return }
            // Those that are behind are closed by now; each is counted once.
            channel.greeted = channel.greeted.filter { !$0.value.stream.isClosed }
            let before = channels[account]?.greeted.count ?? 0
            metrics.pushStreamsDropped.add(before - channel.greeted.count)
            channels[account] = channel
        }
    }

    /// All that are open.
    var subscribers: [Subscriber] {
        channels.withLock { channels in
            channels.values.flatMap { channel in
                channel.greeted.values + channel.waiting.values.map(\.subscriber)
            }
        }
    }

    var count: Int {
        channels.withLock { $0.values.reduce(0) { $0 + $1.greeted.count + $1.waiting.count } }
    }

    /// Ends the streams of a token, telling them why.
    func revoke(_ token: Digest) {
        for subscriber in subscribers where subscriber.token == token {
            subscriber.stream.offer(PushFrame.revoked)
            subscriber.stream.close()
        }
    }

    private func leave(_ key: ObjectIdentifier, of account: AccountID) {
        channels.withLock { channels in
            channels[account]?.greeted[key] = nil
            channels[account]?.waiting[key] = nil
            if channels[account]?.isEmpty == true { channels[account] = nil }
        }
    }
}
