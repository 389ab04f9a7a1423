import SyncCore
import Testing

@testable import SyncSimulation

@Suite("Known hazards")
struct HazardTests {
    struct Broken: Sendable, CustomStringConvertible {
        let hazard: Hazard
        let mutant: Mutant
        var description: String { "\(hazard) with \(mutant.rawValue)" }
    }

    static let broken = Hazard.all.flatMap { hazard in
        hazard.mutants.map { Broken(hazard: hazard, mutant: $0) }
    }

    @Test("lose nothing", arguments: Hazard.all)
    func loseNothing(_ hazard: Hazard) {
        #expect(hazard.outcome() == [])
    }

    @Test("are noticed when the rule is missing", arguments: broken)
    func areNoticed(_ broken: Broken) {
        #expect(broken.hazard.outcome(broken.mutant) != [])
    }
}
