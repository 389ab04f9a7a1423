import Testing

@testable import SyncTransport

/// Requests that are wrong in random places are read alike however they are cut.
struct ParserPropertyTests {
    /// A small generator whose runs can be repeated from their seed.
    struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    static let samples = [
        "GET /a?b HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n",
        "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3;a=b\r\nabc\r\n1\r\nd\r\n0\r\nT: r\r\n\r\n",
        "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    ]

    /// What became of the bytes, in a form that can be compared.
    private func read(_ parts: [ArraySlice<UInt8>]) -> [String] {
        let settings = ParserSettings()
        let parser = RequestParser(settings: settings, limits: .init()) { _ in 100 }
        var results: [String] = []
        for part in parts {
            var rest = part
            while !rest.isEmpty {
                let (consumed, outcome) = rest.withUnsafeBytes { parser.feed($0) }
                rest = rest.dropFirst(consumed)
                switch outcome {
                case .needsMore:
                    break
                case .complete(let head, let body, let keepsAlive):
                    results.append("\(head) \(body) \(keepsAlive)")
                    if !keepsAlive { return results }
                case .rejected(let rejection):
                    return results + ["\(rejection.status)"]
                }
            }
        }
        withExtendedLifetime(settings) {}
        return results + (parser.isIdle ? [] : ["more"])
    }

    private func mutate(_ bytes: [UInt8], _ random: inout Random) -> [UInt8] {
        var bytes = bytes
        let special = Array("\r\n\t :;,/\0aA0-".utf8) + [0x80, 0xFF]
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let index = bytes.indices.randomElement(using: &random) ?? 0
            let byte = special.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[index] = byte
            case 1: bytes.insert(byte, at: index)
            case 2: bytes.remove(at: index)
            default: bytes.insert(contentsOf: bytes[index...], at: index)
            }
        }
        return bytes
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func wrongRequestsAreReadAlike(seed: UInt64) {
        var random = Random(state: seed)
        for round in 0..<500 {
            let sample = ParserPropertyTests.samples[round % ParserPropertyTests.samples.count]
            let bytes = mutate(Array((sample + sample).utf8), &random)
            let whole = read([bytes[...]])
            let single = read(bytes.indices.map { bytes[$0...$0] })
            #expect(single == whole, "seed \(seed), round \(round)")
            let cut = Int.random(in: 0...bytes.count, using: &random)
            #expect(read([bytes[..<cut], bytes[cut...]]) == whole, "seed \(seed), round \(round)")
        }
    }

    @Test func noiseDoesNoHarm() {
        var random = Random(state: 1)
        for _ in 0..<200 {
            let noise = (0..<300).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            #expect(!read([noise[...]]).isEmpty)
        }
    }
}
