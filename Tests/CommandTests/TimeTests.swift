import Foundation
import SyncCore
import Testing

@testable import SyncDevice

/// Times as they are printed.
@Suite struct TimeTests {
    @Test(
        arguments: [
            (0, 0, "1970-01-01T00:00:00.000000000Z"),
            (-1, 999_999_999, "1969-12-31T23:59:59.999999999Z"),
            (951_782_399, 5, "2000-02-28T23:59:59.000000005Z"),
            (951_782_400, 0, "2000-02-29T00:00:00.000000000Z"),
            (951_868_800, 0, "2000-03-01T00:00:00.000000000Z"),
            (-2_203_891_200, 0, "1900-03-01T00:00:00.000000000Z"),
            (253_402_300_799, 0, "9999-12-31T23:59:59.000000000Z"),
            (253_402_300_800, 0, "+010000-01-01T00:00:00.000000000Z"),
            (-62_167_219_201, 0, "-000001-12-31T23:59:59.000000000Z"),
        ] as [(Int64, UInt32, String)])
    func writes(_ seconds: Int64, _ nanoseconds: UInt32, _ text: String) {
        #expect(ISOTime.text(FileTime(seconds: seconds, nanoseconds: nanoseconds)) == text)
    }

    @Test func agreesWithFoundationEveryFewDaysFor800Years() {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for day in stride(from: Int64(-80_000), to: 220_000, by: 13) {
            let time = WallTime(milliseconds: day * 86_400_000 + 12_345_625)
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 12_345.625)
            #expect(ISOTime.text(time) == date.formatted(format))
        }
    }

    @Test func survivesTheEndsOfTime() {
        #expect(ISOTime.text(WallTime(milliseconds: -1)) == "1969-12-31T23:59:59.999Z")
        for seconds in [Int64.min, Int64.max] {
            #expect(ISOTime.text(FileTime(seconds: seconds, nanoseconds: 0)).hasSuffix("Z"))
        }
        #expect(ISOTime.text(since2001: .nan) == nil)
        #expect(ISOTime.text(since2001: -0.25) == "2000-12-31T23:59:59.750000000Z")
    }
}
