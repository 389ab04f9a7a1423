import DeviceSocket
import Dispatch
import Glibc
import SyncCore
import SyncWire
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct DeviceSocketTests {
    let temporary = TemporaryHome()
    var home: DeviceHome { temporary.home }

    @Test func aCallIsAnswered() throws {
        let daemon = try TestDaemon(home) { call in
            call == .why(path: [1]) ? .folder([7]) : .done
        }
        defer { daemon.stop() }
        let client = try DeviceClient(home: home)
        #expect(try client.call(.why(path: [1]), timeout: .seconds(20)) == .folder([7]))
        #expect(try client.call(.status, timeout: .seconds(20)) == .done)
    }

    @Test func answersFindTheirCallersInAnyOrder() throws {
        let kept = Mutex<[(ConnectionToken, DeviceRequest)]>([])
        let daemon = try TestDaemon(home) { endpoint, arrival in
            guard case .request(let token, let request) = arrival else { return }
            let all = kept.withLock { kept in
                kept.append((token, request))
                return kept
            }
            guard all.count == 8 else { return }
            for (token, request) in all.reversed() {
                guard case .wait(let number) = request.call else { continue }
                let reply = DeviceReply.folder([UInt8(number)])
                _ = endpoint.send(
                    DeviceMessage(request: request.id, body: .reply(reply)), to: token)
            }
        }
        defer { daemon.stop() }
        let client = try DeviceClient(home: home)
        let answers = Mutex<[UInt64: DeviceReply]>([:])
        let group = DispatchGroup()
        for number: UInt64 in 0..<8 {
            DispatchQueue(label: "caller \(number)").async(group: group) {
                let answer = try? client.call(
                    .wait(milliseconds: number), timeout: .seconds(20))
                answers.withLock { $0[number] = answer }
            }
        }
        group.wait()
        for number: UInt64 in 0..<8 {
            #expect(answers.withLock { $0[number] } == .folder([UInt8(number)]))
        }
    }

    @Test func partsComeBeforeTheAnswer() throws {
        let daemon = try TestDaemon(home) { endpoint, arrival in
            guard case .request(let token, let request) = arrival else { return }
            for key: UInt8 in 1...3 {
                let reply = DeviceReply.values([KeyValueRow(key: [key], value: [])])
                let body: DeviceMessage.Body = key < 3 ? .part(reply) : .reply(reply)
                _ = endpoint.send(DeviceMessage(request: request.id, body: body), to: token)
            }
        }
        defer { daemon.stop() }
        let client = try DeviceClient(home: home)
        #expect(try client.values(store: [9]).map(\.key) == [[1], [2], [3]])
    }

    @Test func aContentIsTakenInStretchesOfOneVersion() throws {
        let whole = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let version = VersionID(high: 1, low: 2)
        let daemon = try TestDaemon(home) { call in
            guard case .content(_, let asked, let offset) = call else { return .done }
            guard (offset == 0) == (asked == nil) else { return .done }
            let bytes = whole[Int(offset)...].prefix(ContentPart.mostBytes)
            return .content(
                ContentPart(bytes: Array(bytes), size: UInt64(whole.count), version: version))
        }
        defer { daemon.stop() }
        let client = try DeviceClient(home: home)
        var read: [UInt8] = []
        try client.content(path: [1], version: nil) { bytes in
            read += bytes
            return true
        }
        #expect(read == whole)
    }

    @Test func aWatchHearsWhatIsThereAndThenEventsInOrder() throws {
        let cancelled = DispatchSemaphore(value: 0)
        let daemon = try TestDaemon(home) { endpoint, arrival in
            guard case .request(let token, let request) = arrival else { return }
            if case .cancel = request.call {
                cancelled.signal()
                return
            }
            _ = endpoint.send(
                DeviceMessage(request: request.id, body: .reply(.values([]))), to: token)
            for key: UInt8 in 0..<50 {
                let event = DeviceEvent.values(store: [1], keys: [[key]], .serverChange)
                _ = endpoint.send(
                    DeviceMessage(request: request.id, body: .event(event)), to: token)
            }
        }
        defer { daemon.stop() }
        let client = try DeviceClient(home: home)
        let heard = Mutex<[DeviceUpdate]>([])
        let complete = DispatchSemaphore(value: 0)
        let watch = try client.watch(.watchValues(store: [1]), timeout: .seconds(20)) { update in
            let count = heard.withLock { heard in
                heard.append(update)
                return heard.count
            }
            if count == 51 { complete.signal() }
        }
        complete.wait()
        let expected =
            [DeviceUpdate.reply(.values([]))]
            + (0..<50).map { .event(.values(store: [1], keys: [[$0]], .serverChange)) }
        #expect(heard.withLock { $0 } == expected)
        watch.cancel()
        cancelled.wait()
    }

    @Test func largeMessagesPassBothWays() throws {
        let daemon = try TestDaemon(home) { call in
            guard case .setValue(_, _, let value) = call else { return .done }
            return .value(value)
        }
        defer { daemon.stop() }
        let client = try DeviceClient(home: home)
        let value = [UInt8](repeating: 0xA5, count: 10 << 20)
        let call = DeviceCall.setValue(store: [1], key: [2], value: value)
        #expect(try client.call(call, timeout: .seconds(50)) == .value(value))
        let larger = DeviceCall.setValue(
            store: [1], key: [2], value: [UInt8](repeating: 0, count: 17 << 20))
        #expect(throws: DeviceClientError.tooLarge) {
            try client.call(larger, timeout: .seconds(20))
        }
    }
}
