import Testing

/// `Docs/Protocol.md` names every message, and every case of what a device's socket carries.
struct ProtocolTests {
    private static let document =
        SourceTree.written.first { $0.path == "Docs/Protocol.md" }?.lines ?? []

    @Test func everyCallIsDescribed() {
        let calls = numbers(in: "Device/DeviceRequest+Wire.swift", #/^\s*case \.\w+: (\d+)$/#)
        #expect(calls.count >= 23)
        for number in calls {
            #expect(Self.document.contains { $0.hasPrefix("| \(number) ") }, "call \(number)")
        }
    }

    @Test func everyReplyAndEventIsDescribed() {
        let written = #/writer\.(?:field|structure)\((\d+)/#
        let replies = numbers(in: "Device/DeviceReply.swift", written)
        #expect(replies.count >= 13)
        for number in replies {
            #expect(Self.document.contains { Self.isRow($0, of: number) }, "reply \(number)")
        }
        for number in numbers(in: "Device/DeviceEvent.swift", #/^\s*case (\d+): self =/#) {
            #expect(Self.document.contains { Self.isRow($0, of: number) }, "event \(number)")
        }
    }

    @Test func everyMessageIsDescribed() {
        let names = SourceTree.swiftFiles(of: "Sources/SyncWire").flatMap { file in
            file.lines.compactMap {
                $0.firstMatch(of: #/^extension ([\w.]+): WireMessage/#).map { String($0.1) }
            }
        }
        #expect(names.count >= 16)
        for name in names {
            #expect(Self.document.contains { $0.contains(name) }, "\(name) is not described")
        }
    }

    /// Whether a line is a row of a table: what something is called, and this field number.
    private static func isRow(_ line: Substring, of number: String) -> Bool {
        let cells = line.split(separator: "|")
        guard line.hasPrefix("| "), cells.count == 2 else { return false }
        return cells[1].drop { $0 == " " }.prefix { $0.isNumber } == number
    }

    private func numbers(
        in file: String, _ pattern: Regex<(Substring, Substring)>
    ) -> [String] {
        SourceTree.swiftFiles(of: "Sources/SyncWire").filter { $0.path.hasSuffix(file) }
            .flatMap(\.lines).compactMap { $0.firstMatch(of: pattern).map { String($0.1) } }
    }
}
