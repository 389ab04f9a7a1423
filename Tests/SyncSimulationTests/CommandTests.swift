import SyncCore
import Testing

@testable import SyncSimulation

@Suite("The simulator's command")
struct CommandTests {
    @Test("reads its arguments")
    func arguments() throws {
        let command = try #require(
            SimulationCommand([
                "--schedules", "12", "--seed", "5", "--mutant", "acknowledge-before-commit",
            ]))
        #expect(command.schedules == 12)
        #expect(command.seed == 5)
        #expect(command.mutant == .acknowledgeBeforeCommit)
    }

    @Test(
        "refuses what it does not know",
        arguments: [
            ["--schedules"], ["--schedules", "0"], ["--mutant", "none"], ["--devices", "9"],
            ["12"], ["--seed", "-1"], ["--jobs", "0"],
        ])
    func unknown(arguments: [String]) {
        #expect(SimulationCommand(arguments) == nil)
    }

    @Test("ends with the number of schedules and of violations")
    func lastLine() throws {
        let command = try #require(SimulationCommand(["--schedules", "5", "--seed", "4"]))
        var lines: [String] = []
        let isClean = command.run { lines.append($0) }
        #expect(isClean == (lines.last == "5 schedules, 0 violations"))
        #expect(lines.dropLast().last?.hasPrefix("trace ") == true)
    }
}
