import Glibc

/// What a child is to do; it runs this same test program.
enum ChildTask: String {
    case device
    case server

    static let variable = "UBIQUITY_STORE_CHILD"

    /// The task, folder and number of commits of this process, if it is a child.
    static var own: (task: ChildTask, folder: String, commits: UInt64)? {
        guard let text = getenv(variable).map({ String(cString: $0) }) else { return nil }
        let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
        guard parts.count == 3, let task = ChildTask(rawValue: parts[0]),
            let commits = UInt64(parts[1])
        else { return nil }
        return (task, parts[2], commits)
    }
}

/// A child that commits, and says so after each commit with one byte.
final class ChildProcess {
    private let process: pid_t
    private let acknowledgements: Int32
    /// The child's end of the pipe.
    static let channel: Int32 = 9

    /// Starts the child, under another program such as `strace` if `wrapper` names one.
    init(_ task: ChildTask, folder: String, commits: UInt64, wrapper: [String] = []) {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0)
        // Another child must not hold the pipe open.
        for end in ends { precondition(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
        let program = Array(
            unsafeUninitializedCapacity: 4096,
            initializingWith: { (buffer: inout UnsafeMutableBufferPointer<CChar>, count) in
                count = readlink("/proc/self/exe", buffer.baseAddress!, 4095)
            })
        let path = String(decoding: program.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let arguments =
            wrapper + [path, "--testing-library", "swift-testing", "--filter", "ChildWork"]
        let environment = ["\(ChildTask.variable)=\(task.rawValue) \(commits) \(folder)"]
        process = Self.spawn(arguments, environment, channel: ends[1])
        close(ends[1])
        acknowledgements = ends[0]
    }

    deinit { close(acknowledgements) }

    private static func spawn(
        _ arguments: [String], _ environment: [String], channel: Int32
    ) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, channel, Self.channel)
        for output: Int32 in [1, 2] {
            posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        var words = arguments.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var process: pid_t = 0
        precondition(posix_spawnp(&process, arguments[0], &actions, nil, &words, &variables) == 0)
        return process
    }

    /// Waits for that many more acknowledgements; gives how many there were.
    func acknowledged(_ count: Int) -> Int {
        var bytes = [UInt8](repeating: 0, count: 1)
        var total = 0
        while total < count, read(acknowledgements, &bytes, 1) == 1 { total += 1 }
        return total
    }

    /// Kills the child as a power cut would, and waits until it is gone.
    func kill() {
        Glibc.kill(process, SIGKILL)
        wait()
    }

    @discardableResult
    func wait() -> Int32 {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return status
    }
}
