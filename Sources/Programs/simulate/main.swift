import Glibc
import SyncSimulation

/// Writes a line at once, so that a long run can be watched.
func write(_ text: String, to descriptor: Int32) {
    var bytes = Array("\(text)\n".utf8)
    while !bytes.isEmpty {
        let count = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
        guard count > 0 else { return }
        bytes.removeFirst(count)
    }
}

guard let command = SimulationCommand(Array(CommandLine.arguments.dropFirst())) else {
    write(SimulationCommand.usage, to: STDERR_FILENO)
    exit(2)
}
let start = ContinuousClock.now
let isClean = command.run(
    print: { write($0, to: STDOUT_FILENO) },
    work: { numbers, schedule in onThreads(command.jobs, numbers, schedule) })
// Standard output depends on the arguments only; the rest goes here.
write("\(ContinuousClock.now - start)", to: STDERR_FILENO)
exit(isClean ? 0 : 1)
