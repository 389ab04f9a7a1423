import SyncStore
import Testing

@testable import SyncServer

@Suite struct PasswordTests {
    @Test func isKnownAgain() throws {
        let cost = PasswordCost(passes: 1, memory: 64)
        let salt = randomBytes(16)
        let hash = try PasswordHash(password: Array("secret".utf8), salt: salt, cost: cost)
        #expect(hash.encoded.hasPrefix("$argon2id$v=19$m=64,t=1,p=1$"))
        #expect(try hash.matches(Array("secret".utf8)))
        #expect(try !hash.matches(Array("Secret".utf8)))
        #expect(try !hash.matches([]))
        #expect(throws: PasswordHashFailure.self) {
            try PasswordHash(encoded: "nonsense").matches([1])
        }
    }

    @Test func costsWhatWasSaid() throws {
        let hash = try PasswordHash(password: [1], salt: randomBytes(16), cost: PasswordCost())
        #expect(hash.encoded.hasPrefix("$argon2id$v=19$m=65536,t=3,p=1$"))
    }
}

@Suite struct AttemptLimiterTests {
    @Test func letsABurstThroughAndThenOneAtATime() {
        let limiter = AttemptLimiter(limit: AttemptLimit(burst: 2, refill: 100))
        #expect(limiter.allows("anna", at: 0))
        limiter.recordWrong("anna", at: 0)
        #expect(limiter.allows("anna", at: 0))
        limiter.recordWrong("anna", at: 0)
        #expect(!limiter.allows("anna", at: 99))
        #expect(limiter.allows("ben", at: 99))
        #expect(limiter.allows("anna", at: 100))
        limiter.recordWrong("anna", at: 100)
        #expect(!limiter.allows("anna", at: 199))
        #expect(limiter.allows("anna", at: 200))
    }
}

@Suite struct NameTests {
    @Test(arguments: ["a", "anna@example.org", "J\u{FC}rgen", "two words"])
    func takes(_ text: String) { #expect(PersonalName(text)?.text == text) }

    @Test(arguments: ["", " a", "a ", "a\n", "a\u{7F}", String(repeating: "a", count: 129)])
    func refuses(_ text: String) { #expect(PersonalName(text) == nil) }
}
