import FoundationEssentials

/// What the server says of the account.
enum AccountAnswer {
    private struct Body: Decodable {
        let number: UInt64
    }

    static func number(_ body: [UInt8]) -> UInt64? {
        try? JSONDecoder().decode(Body.self, from: Data(body)).number
    }
}
