import Synchronization

/// A response that stays open, to which any thread offers server-sent events.
///
/// Nothing here blocks. An idle stream holds no thread and no task.
package final class PushStream: Sendable {
    private struct State {
        var queue: [SharedBytes] = []
        var queuedBytes = 0
        /// What the connection still has to send.
        var backlogBytes = 0
        var isScheduled = false
        var end: End?
        var isFinished = false
        var onClose: (@Sendable () -> Void)?
    }

    /// How a stream ends.
    enum End {
        /// What was offered before is sent first.
        case afterQueue
        /// The client was too slow: nothing more is sent.
        case atOnce
    }

    let inbox: LoopInbox
    let key: ConnectionKey
    private let bytesMax: Int
    private let state = Mutex(State())

    init(inbox: LoopInbox, key: ConnectionKey, bytesMax: Int) {
        self.inbox = inbox
        self.key = key
        self.bytesMax = bytesMax
    }

    /// Sends bytes; false if the stream is closed, or is closed now because its client is behind.
    @discardableResult
    package func offer(_ bytes: SharedBytes) -> Bool {
        let (isTaken, mustSchedule) = enqueue(bytes)
        if mustSchedule {
            inbox.post(.flush(self))
        }
        return isTaken
    }

    /// Offers the same bytes to many streams, with one wake a loop; gives how many took them.
    @discardableResult
    package static func offer(_ bytes: SharedBytes, to streams: [PushStream]) -> Int {
        var taken = 0
        var scheduled: [ObjectIdentifier: (inbox: LoopInbox, commands: [LoopCommand])] = [:]
        for stream in streams {
            let (isTaken, mustSchedule) = stream.enqueue(bytes)
            taken += isTaken ? 1 : 0
            guard mustSchedule else { continue }
            scheduled[ObjectIdentifier(stream.inbox), default: (stream.inbox, [])]
                .commands.append(.flush(stream))
        }
        for (inbox, commands) in scheduled.values {
            inbox.post(commands)
        }
        return taken
    }

    /// Ends the stream after what was offered.
    package func close() {
        let mustSchedule = state.withLock { state in
            guard state.end == nil else { return false }
            state.end = .afterQueue
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule {
            inbox.post(.flush(self))
        }
    }

    /// Sets what runs once when the connection has ended; at once if it has already.
    ///
    /// It runs on the loop's thread and must be short.
    package func onClose(_ action: @escaping @Sendable () -> Void) {
        let isFinished = state.withLock { state in
            if !state.isFinished {
                state.onClose = action
            }
            return state.isFinished
        }
        if isFinished {
            action()
        }
    }

    /// Whether offers are refused.
    package var isClosed: Bool {
        state.withLock { $0.end != nil || $0.isFinished }
    }

    private func enqueue(_ bytes: SharedBytes) -> (isTaken: Bool, mustSchedule: Bool) {
        state.withLock { state in
            guard state.end == nil, !state.isFinished else { return (false, false) }
            let isTaken = state.queuedBytes + state.backlogBytes + bytes.count <= bytesMax
            if isTaken {
                state.queue.append(bytes)
                state.queuedBytes += bytes.count
            } else {
                state.queue = []
                state.end = .atOnce
            }
            defer { state.isScheduled = true }
            return (isTaken, !state.isScheduled)
        }
    }
}

// MARK: The loop's side.

extension PushStream {
    /// Takes what was offered, and how the stream ends if it does.
    func takeQueue() -> (queue: [SharedBytes], end: End?) {
        state.withLock { state in
            defer {
                state.backlogBytes += state.queuedBytes
                state.queue = []
                state.queuedBytes = 0
                state.isScheduled = false
            }
            return (state.queue, state.end)
        }
    }

    /// Notes how many bytes the connection could not send yet.
    func setBacklog(_ bytes: Int) {
        state.withLock { $0.backlogBytes = bytes }
    }

    /// Notes that the connection has ended.
    func finish() {
        let action = state.withLock { state in
            let action = state.isFinished ? nil : state.onClose
            state.isFinished = true
            state.onClose = nil
            state.queue = []
            return action
        }
        action?()
    }
}
