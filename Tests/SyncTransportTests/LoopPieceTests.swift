import Testing

@testable import SyncTransport

/// The loop's parts that need no socket.
struct LoopPieceTests {
    private func key(_ number: UInt32) -> ConnectionKey {
        ConnectionKey(descriptor: Int32(number), generation: number)
    }

    @Test func deadlinesFireInTheirTickAndNotBefore() {
        var wheel = TimerWheel(now: 1000)
        let times: [UInt64] = [1000, 1001, 1400, 1450, 20_000]
        for (number, time) in times.enumerated() {
            _ = wheel.insert(key(UInt32(number)), at: time)
        }
        var fired: [ConnectionKey: UInt64] = [:]
        for now in stride(from: UInt64(1000), through: 21_000, by: 7) {
            for entry in wheel.advance(to: now) {
                fired[entry.key] = now
            }
        }
        for (number, time) in times.enumerated() {
            let moment = fired[key(UInt32(number))] ?? 0
            #expect(moment >= time && moment < time + TimerWheel.tickMilliseconds + 7)
        }
        #expect(wheel.millisecondsToNext(from: 21_000) == nil)
    }

    @Test func theNextDeadlineIsKnown() {
        var wheel = TimerWheel(now: 0)
        #expect(wheel.millisecondsToNext(from: 0) == nil)
        _ = wheel.insert(key(1), at: 5000)
        _ = wheel.insert(key(2), at: 700)
        #expect(wheel.millisecondsToNext(from: 100) == 600)
        #expect(wheel.advance(to: 700).map(\.key) == [key(2)])
        #expect(wheel.millisecondsToNext(from: 700) == 4300)
    }

    @Test func aFarDeadlineFiresEarly() {
        var wheel = TimerWheel(now: 0)
        _ = wheel.insert(key(1), at: 10_000_000)
        #expect(wheel.millisecondsToNext(from: 0) ?? .max < 60_000)
        #expect(wheel.advance(to: 60_000).count == 1)
    }

    @Test func aLongSleepFiresEverythingOnce() {
        var wheel = TimerWheel(now: 0)
        for number in 0..<100 {
            _ = wheel.insert(key(UInt32(number)), at: UInt64(number) * 500)
        }
        #expect(Set(wheel.advance(to: 100_000_000).map(\.key)).count == 100)
        _ = wheel.insert(key(1), at: 100_000_100)
        #expect(wheel.advance(to: 100_000_200).count == 1)
    }

    @Test func theQueueForgetsWhatWasSent() {
        var queue = OutputQueue()
        for number in 0..<200 {
            queue.append([UInt8](repeating: UInt8(number), count: 10))
        }
        var sent: [UInt8] = []
        while !queue.isEmpty {
            let count = min(7, Int(queue.left))
            var left = count
            for item in queue.pending where left > 0 {
                guard case .bytes(let bytes, let offset) = item else { continue }
                sent += bytes[offset...].prefix(left)
                left -= min(left, bytes.count - offset)
            }
            queue.didSend(count)
        }
        #expect(sent == (0..<2000).map { UInt8($0 / 10) })
        #expect(queue.pending.isEmpty)
    }

    @Test func aDateHasTheKnownForm() {
        #expect(HTTPDate.format(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test func anErrorIsJSON() {
        let response = HTTPResponse.error(status: 400, code: "a", message: "\"b\\\n\u{1}é")
        guard case .bytes(let body) = response.body else { return }
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"error":{"code":"a","message":"\"b\\\u000a\u0001é"}}"#)
    }
}
