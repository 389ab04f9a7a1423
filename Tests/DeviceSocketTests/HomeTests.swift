import DeviceSocket
import Glibc
import SyncWire
import Testing

@Suite(.timeLimit(.minutes(1))) struct HomeTests {
    let temporary = TemporaryHome()
    var home: DeviceHome { temporary.home }

    @Test func aHomeWithALongPathWorks() throws {
        let long = TemporaryHome(pathBytes: 200)
        #expect(long.home.path.count >= 200)
        let daemon = try TestDaemon(long.home) { _ in .done }
        defer { daemon.stop() }
        let client = try DeviceClient(home: long.home)
        #expect(try client.call(.status, timeout: .seconds(20)) == .done)
    }

    @Test(arguments: 95...112)
    func pathsAroundTheAddressesRoomWork(bytes: Int) throws {
        let temporary = TemporaryHome()
        let padding = bytes - temporary.home.socket.count - 1
        let path = temporary.text + "/" + String(repeating: "p", count: padding)
        let home = DeviceHome(path)
        #expect(home.socket.count == bytes)
        let daemon = try TestDaemon(home) { _ in .done }
        defer { daemon.stop() }
        #expect(
            try DeviceClient(home: home).call(.status, timeout: .seconds(20)) == .done)
    }

    @Test func onlyTheOwnerMayConnect() throws {
        let daemon = try TestDaemon(home) { _ in .done }
        defer { daemon.stop() }
        var status = stat()
        try #require(stat(temporary.text + "/.ubiquity/socket", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        try #require(stat(temporary.text + "/.ubiquity", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
    }

    @Test func theSocketOfAKilledDaemonIsReplaced() throws {
        mkdir(temporary.text + "/.ubiquity", 0o700)
        let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: home.socket) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(left, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
        close(left)
        #expect(throws: DeviceClientError.notRunning) { try DeviceClient(home: home) }
        let daemon = try TestDaemon(home) { _ in .done }
        defer { daemon.stop() }
        #expect(
            try DeviceClient(home: home).call(.status, timeout: .seconds(20)) == .done)
    }

    @Test func aSecondDaemonIsRefused() throws {
        var first: HomeLock? = try HomeLock(home: home)
        #expect(throws: HomeLockError.held(process: getpid())) { try HomeLock(home: home) }
        #expect(first?.home == home)
        first = nil
        _ = try HomeLock(home: home)
    }

    @Test func aLockIsFreeWhenItsProcessWasKilled() throws {
        _ = try HomeLock(home: home)
        let lockFile = temporary.text + "/.ubiquity/lock"
        var output: [Int32] = [0, 0]
        pipe(&output)
        let process = try spawn(
            ["flock", "-o", lockFile, "sh", "-c", "echo held; exec sleep 600"], output: output[1])
        close(output[1])
        var byte: UInt8 = 0
        try #require(read(output[0], &byte, 1) == 1)
        let error = #expect(throws: HomeLockError.self) { try HomeLock(home: home) }
        #expect(error != nil)
        kill(-process, SIGKILL)
        waitpid(process, nil, 0)
        _ = try HomeLock(home: home)
        close(output[0])
    }

    /// In a process group of its own.
    private func spawn(_ words: [String], output: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let result = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
        try #require(result == 0)
        return process
    }
}
