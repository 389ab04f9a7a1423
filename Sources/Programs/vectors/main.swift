import Glibc
import SyncSimulation
import SyncWire
import WebVectors

// Writes vectors to standard output: the questions of a file with this build's answers, and what
// the devices of so many simulated schedules were told and wanted done. Or looks whether this build
// answers those of a file, or how fast.

func fail(_ text: String) -> Never {
    let line = Array("vectors: \(text)\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(1)
}

func contents(of path: String) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY)
    guard file >= 0 else { fail("\(path) cannot be read") }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe read(file, $0.baseAddress, $0.count)
        }
        guard count > 0 else { return bytes }
        bytes += buffer[..<count]
    }
}

func put(_ bytes: [UInt8]) {
    var written = 0
    while written < bytes.count {
        let count = unsafe bytes.withUnsafeBytes {
            unsafe write(
                STDOUT_FILENO, $0.baseAddress.map { unsafe $0 + written }, $0.count - written)
        }
        guard count > 0 else { fail("standard output is closed") }
        written += count
    }
}

/// The best of so many attempts for each question, in nanoseconds, a line each.
func measure(_ file: [UInt8], attempts: Int) {
    var questions = VectorReader(file)
    var core = CoreUnderTest()
    while let question = questions.next() {
        let times = (0..<attempts).map { _ in
            ContinuousClock().measure { _ = core.answer(question.question, question.input) }
        }
        print((times.min() ?? .zero) / .nanoseconds(1))
    }
}

let arguments = CommandLine.arguments
if arguments.count > 2, arguments[1] == "--time" {
    measure(contents(of: arguments[2]), attempts: arguments.count > 3 ? Int(arguments[3]) ?? 1 : 25)
    exit(0)
}
if arguments.count == 3, arguments[1] == "--check" {
    print(CoreUnderTest.check(contents(of: arguments[2])))
    exit(0)
}
guard (3...4).contains(arguments.count), let schedules = Int(arguments[2]),
    let first = arguments.count > 3 ? Int(arguments[3]) : 0, schedules >= 0, first >= 0
else {
    fail(
        """
        usage: vectors QUESTIONS SCHEDULES [FIRST] > FILE, or vectors --check FILE, \
        or vectors --time QUESTIONS [ATTEMPTS]
        """)
}

var questions = VectorReader(contents(of: arguments[1]))
var core = CoreUnderTest()
while let question = questions.next() {
    var bytes: [UInt8] = []
    let answer = core.answer(question.question, question.input)
    Vector(question.question, question.input, answer).append(to: &bytes)
    put(bytes)
}
guard questions.isAtEnd else { fail("\(arguments[1]) holds no questions") }
for number in first..<first + schedules {
    put(Recording(of: Plan(seed: Runner.seed(1, number))).vectors)
}
