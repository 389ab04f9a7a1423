import Glibc
import SyncSimulation

// Tries so many random merges; prints what does not hold, and how many there were.

func fail(_ text: String) -> Never {
    let line = Array("merges: \(text)\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(2)
}

let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
guard arguments.count == CommandLine.arguments.count - 1, (1...2).contains(arguments.count) else {
    fail("usage: merges COUNT [SEED]")
}

let count = arguments[0]
let first = arguments.count == 2 ? arguments[1] : 1
var merged = 0
var violations = 0
for number in 0..<count {
    let trial = MergeTrial(seed: first &+ number)
    if trial.isMerged { merged += 1 }
    violations += trial.violations.count
    for violation in trial.violations where violations <= 20 {
        print("seed \(trial.seed): \(violation)")
    }
}
print("\(merged) of the random edits merged")
print("\(count) merges, \(violations) violations")
exit(violations == 0 ? 0 : 1)
