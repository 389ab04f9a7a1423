import DeviceSocket
import Glibc

/// `ubiquity device install`: the daemon starts with the person's session from now on.
struct InstallCommand: Command {
    static let words = ["device", "install"]
    static let usage = "ubiquity device install [--no-start]"
    static let summary =
        "Has systemd run the device with your session; --no-start only writes the unit."

    let isStarting: Bool

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, flags: ["--no-start"])
        try arguments.refuseWords(after: 0)
        isStarting = !arguments.has("--no-start")
    }

    func run() throws(CommandFailure) -> Int32 {
        let service = try InstalledService()
        try service.write()
        try CommandOutput.say("", name: service.path, ": written")
        guard isStarting else { return 0 }
        try service.control(["daemon-reload"])
        try service.control(["enable", "--now", service.unit.name])
        try CommandOutput.say(
            "the device runs, and starts with your session; `loginctl enable-linger` has it run "
                + "without one")
        return 0
    }
}

/// `ubiquity device uninstall`: ends that.
struct UninstallCommand: Command {
    static let words = ["device", "uninstall"]
    static let usage = "ubiquity device uninstall"
    static let summary = "Ends that; the files and the account stay."

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        try CommandArguments(arguments).refuseWords(after: 0)
    }

    func run() throws(CommandFailure) -> Int32 {
        let service = try InstalledService()
        guard service.isThere else {
            throw .failed("\(shown(service.path)) is not there; nothing is installed")
        }
        // Where systemd cannot be asked, nothing runs either.
        try? service.control(["disable", "--now", service.unit.name])
        service.remove()
        try CommandOutput.say("", name: service.path, ": removed")
        return 0
    }
}

/// A home's unit among those of the person.
private struct InstalledService {
    let unit: ServiceUnit
    let path: [UInt8]

    init() throws(CommandFailure) {
        guard let folder = ServiceUnit.folder() else {
            throw .failed("no home folder is known: set HOME")
        }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0, count < buffer.count else {
            throw .failed("cannot tell where this program is: /proc is not mounted")
        }
        let isUsual = unsafe getenv("UBIQUITY_HOME") == nil
        let home = isUsual ? nil : try CommandHome().home.path
        unit = ServiceUnit(program: Array(buffer[..<count]), home: home)
        path = folder + Array("/\(unit.name)".utf8)
    }

    var isThere: Bool { SmallFile(path: path).read() != nil }

    func write() throws(CommandFailure) {
        makeFolders()
        do throws(SmallFileFailure) {
            try SmallFile(path: path).write(unit.text, mode: 0o644)
        } catch {
            throw .failed("cannot write \(shown(path)): \(error); is the folder yours?")
        }
    }

    /// What cannot be made is told when the file is written.
    private func makeFolders() {
        for end in path.indices where end > 0 && path[end] == UInt8(ascii: "/") {
            _ = unsafe mkdir(path[..<end].map { CChar(bitPattern: $0) } + [0], 0o755)
        }
    }

    func remove() { SmallFile(path: path).remove() }

    func control(_ arguments: [String]) throws(CommandFailure) {
        let words = ["systemctl", "--user"] + arguments
        let status = run(words)
        guard status == 0 else {
            throw .failed(
                "'\(words.joined(separator: " "))' did not do it"
                    + (status == 127 ? ": there is no systemctl" : "")
                    + "; the unit is \(shown(path)), start `ubiquity device run` another way")
        }
    }

    /// Its exit status; 127 if there is no such program.
    private func run(_ words: [String]) -> Int32 {
        var process = pid_t()
        let pointers = unsafe words.map { unsafe strdup($0) }
        defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
        let failure = unsafe posix_spawnp(
            &process, words[0], nil, nil, pointers + [nil], environ)
        guard failure == 0 else { return 127 }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return 127 }
        }
        // The high byte is what it exited with; a signal is another reason.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 1
    }
}
