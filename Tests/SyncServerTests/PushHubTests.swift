import SyncCore
import SyncStore
import SyncWire
import Testing

@testable import SyncServer
@testable import SyncTransport

/// The order of entering, greeting and publishing, without a network.
@Suite struct PushHubTests {
    let metrics = Metrics()
    let hub: PushHub
    let account = AccountID.random()

    init() { hub = PushHub(frameBytes: 256 * 1024, metrics: metrics) }

    @Test func greetsWithWhatWasCommittedMeanwhile() throws {
        let subscriber = try subscriber()
        hub.enter(subscriber)
        hub.publish([entry(1)], after: .start, to: account)
        hub.publish([entry(2)], after: position(1), to: account)
        // The head that was read is older than what has been published.
        hub.greet(subscriber, head: position(1))
        hub.publish([entry(3)], after: position(2), to: account)
        let events = try received(by: subscriber)
        #expect(events.map(\.event) == ["hello", "log"])
        #expect(try hello(events[0]) == position(2))
        #expect(try log(events[1]).after == position(2))
    }

    @Test func keepsTheHeadThatWasReadIfItIsNewer() throws {
        let subscriber = try subscriber()
        hub.enter(subscriber)
        hub.publish([entry(1)], after: .start, to: account)
        hub.greet(subscriber, head: position(2))
        #expect(try hello(try received(by: subscriber)[0]) == position(2))
    }

    @Test func dropsAStreamThatIsBehind() throws {
        let slow = try subscriber(bytesMax: 1000)
        let quick = try subscriber()
        for subscriber in [slow, quick] {
            hub.enter(subscriber)
            hub.greet(subscriber, head: .start)
        }
        for number in 1...10 {
            hub.publish(
                [entry(UInt64(number))], after: position(UInt64(number) - 1), to: account)
        }
        #expect(slow.stream.isClosed)
        #expect(metrics.pushStreamsDropped.value == 1)
        #expect(try received(by: quick).count == 11)
        slow.stream.finish()
        #expect(hub.count == 1)
    }

    private func subscriber(bytesMax: Int = 1 << 20) throws -> PushHub.Subscriber {
        let key = ConnectionKey(descriptor: 0, generation: 1)
        return PushHub.Subscriber(
            account: account, device: DeviceID.random(), token: SHA256.hash([1]),
            stream: PushStream(inbox: try LoopInbox(), key: key, bytesMax: bytesMax))
    }

    private func position(_ number: UInt64) -> Position {
        number == 0 ? .start : Position(number: number, digest: SHA256.hash([UInt8(number)]))
    }

    private func entry(_ number: UInt64) -> LogEntry {
        LogEntry(
            position: position(number), author: DeviceID(high: 1, low: 1),
            incarnation: Incarnation(1), operation: number,
            moment: WallTime(milliseconds: 0), effects: [])
    }

    private func received(by subscriber: PushHub.Subscriber) throws -> [ServerSentEvent] {
        var parser = SSEParser()
        return try subscriber.stream.takeQueue().queue.flatMap { try parser.feed($0.bytes) }
    }

    private func hello(_ event: ServerSentEvent) throws -> Position {
        try PositionMessage(message: try #require(Base64.decode(event.data))).position
    }

    private func log(_ event: ServerSentEvent) throws -> PushMessage {
        try PushMessage(message: try #require(Base64.decode(event.data)))
    }
}
