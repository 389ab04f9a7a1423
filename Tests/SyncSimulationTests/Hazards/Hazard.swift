import SyncCore

@testable import SyncSimulation

/// A known way to lose something, as a schedule; the number is the one in `Docs/Simulation.md`.
struct Hazard: Sendable, CustomStringConvertible {
    let number: String
    let title: String
    var kind = Plan.Kind.everybody
    var devices = 2
    var joins: [Int: Int64] = [:]
    var clockErrors: [Int: Int64] = [:]
    /// Faults of the core that break this schedule.
    var mutants: [Mutant] = []
    let play: @Sendable (inout Scenario) -> Void

    var description: String { "\(number): \(title)" }

    /// What was broken.
    func outcome(_ mutant: Mutant? = nil) -> [String] {
        var scenario = Scenario(
            devices: devices, kind: kind, joins: joins, clockErrors: clockErrors, mutant: mutant)
        play(&scenario)
        return scenario.end()
    }

    static let all = edits + names + deletions + disks + accounts + histories
}
