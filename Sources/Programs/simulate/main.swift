import Glibc
import SyncSimulation

guard let command = SimulationCommand(Array(CommandLine.arguments.dropFirst())) else {
    unsafe fputs("\(SimulationCommand.usage)\n", stderr)
    exit(2)
}
let start = ContinuousClock.now
let isClean = command.run { print($0) }
unsafe fputs("\(ContinuousClock.now - start)\n", stderr)
exit(isClean ? 0 : 1)
