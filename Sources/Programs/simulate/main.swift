import Glibc
import SyncSimulation

/// Standard output depends on the arguments only; the rest goes here.
func note(_ text: String) {
    let bytes = Array("\(text)\n".utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

guard let command = SimulationCommand(Array(CommandLine.arguments.dropFirst())) else {
    note(SimulationCommand.usage)
    exit(2)
}
// Each line is written at once: a long run is watched.
unsafe setvbuf(stdout, nil, _IOLBF, 0)
let start = ContinuousClock.now
let isClean = command.run(print: { print($0) }) { numbers, schedule in
    onThreads(command.jobs, numbers, schedule)
}
note("\(ContinuousClock.now - start)")
exit(isClean ? 0 : 1)
