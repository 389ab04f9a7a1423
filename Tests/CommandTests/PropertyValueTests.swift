import Foundation
import Testing

@testable import SyncDevice

/// Values that apps store and the command line shows, and the other way round.
@Suite struct PropertyValueTests {
    @Test(arguments: [
        "", "v", "fourteen bytes", "fifteen bytes !", String(repeating: "long ", count: 20_000),
        "ü", "naïve 🦉\0\n", String(repeating: "ß", count: 300),
    ])
    func appsReadWhatIsSet(_ text: String) throws {
        let stored = PropertyValue.encoded(Array(text.utf8))
        let list = try PropertyListSerialization.propertyList(from: Data(stored), format: nil)
        #expect(list as? String == text)
        #expect(PropertyValue(binary: stored) == .text(text))
        #expect(stored.printedAsProperty == Array(text.utf8))
    }

    @Test func appsReadBytesThatAreNoText() throws {
        let bytes: [UInt8] = [0xFF, 0, 0x0A, 0xC3]
        let stored = PropertyValue.encoded(bytes)
        let list = try PropertyListSerialization.propertyList(from: Data(stored), format: nil)
        #expect(list as? Data == Data(bytes))
        #expect(stored.printedAsProperty == bytes)
    }

    @Test func showsWhatAppsStore() throws {
        let values: [(Any, String)] = [
            (true, "true"), (false, "false"), (7, "7"), (-7, "-7"), (300, "300"),
            (Int64.min, "\(Int64.min)"), (UInt64.max, "\(UInt64.max)"), (2.5, "2.5"),
            (Date(timeIntervalSince1970: 0.5), "1970-01-01T00:00:00.500000000Z"),
            (Data([1, 2]), "\u{1}\u{2}"), (["a", 1, true] as [Any], #"["a",1,true]"#),
            (["k": ["x": Data([1])]], #"{"k":{"x":"AQ=="}}"#), ([:] as [String: Any], "{}"),
        ]
        for (value, text) in values {
            let stored = try PropertyListSerialization.data(
                fromPropertyList: value, format: .binary, options: 0)
            #expect(String(decoding: [UInt8](stored).printedAsProperty, as: UTF8.self) == text)
        }
    }

    @Test func survivesDamage() throws {
        let value =
            ["a": [1, 2.5, "text", Data([1]), Date(), ["ü": true]] as [Any], "b": "x"]
            as [String: Any]
        let whole = [UInt8](
            try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        )
        #expect(PropertyValue(binary: whole) != nil)
        for count in whole.indices { _ = PropertyValue(binary: Array(whole[..<count])) }
        for index in whole.indices {
            for byte in [0, 1, 0x0F, 0x7F, 0x80, 0xFF] as [UInt8] {
                var damaged = whole
                damaged[index] = byte
                _ = PropertyValue(binary: damaged)
            }
        }
    }

    @Test func refusesAListThatHoldsItself() {
        let head = Array("bplist00".utf8)
        let trailer: [UInt8] =
            [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + Array(repeating: 0, count: 15)
            + [11]
        // Two references to itself each time: without a limit that is 2 to the 128 values.
        #expect(PropertyValue(binary: head + [0xA2, 0, 0] + [8] + trailer) == nil)
    }
}
