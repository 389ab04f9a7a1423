import Glibc
import SyncCore

/// `ubiquity server run`: serves until a signal ends it.
struct RunCommand {
    let configuration: ServerConfiguration

    init(_ arguments: [String]) throws(CommandFailure) {
        let arguments = try Arguments(
            arguments, options: ["--data", "--listen", "--tls-cert", "--tls-key", "--retention"])
        guard arguments.words.isEmpty else {
            throw .usage("'\(arguments.words[0])' is not understood")
        }
        var configuration = ServerConfiguration(folder: try arguments.required("--data"))
        if let text = arguments.options["--listen"] {
            guard let address = ListenAddress(text) else {
                throw .usage("--listen takes an address and a port, such as 127.0.0.1:8420")
            }
            configuration.listen = address
        }
        configuration.tls = try RunCommand.tlsFiles(arguments)
        if let text = arguments.options["--retention"] {
            guard let days = UInt64(text), (1...36_500).contains(days) else {
                throw .usage("--retention takes days, 1 to 36500")
            }
            configuration.limits.retention = Retention(replaced: days)
        }
        self.configuration = configuration
    }

    func run() throws(CommandFailure) {
        let signals = EndSignals()
        let server = try start()
        let scheme = configuration.tls == nil ? "http" : "https"
        Terminal.say("Ubiquity listens on \(scheme)://\(server.address)")
        signals.wait()
        server.stop()
    }

    private func start() throws(CommandFailure) -> SyncServer {
        do throws(ServerStartFailure) {
            return try SyncServer.start(configuration)
        } catch {
            throw .failed(error.description)
        }
    }

    private static func tlsFiles(
        _ arguments: Arguments
    ) throws(CommandFailure) -> ServerConfiguration.TLSFiles? {
        switch (arguments.options["--tls-cert"], arguments.options["--tls-key"]) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return .init(certificate: certificate, key: key)
        default: throw .usage("--tls-cert and --tls-key go together")
        }
    }
}

/// SIGTERM and SIGINT, kept from ending the process until they are waited for.
///
/// SIGPIPE is kept from it for ever: a log that nobody reads any more must not end the server.
@safe private struct EndSignals {
    private var set = sigset_t()

    /// Must be made before any thread is started: threads inherit what is blocked.
    init() {
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGTERM)
        unsafe sigaddset(&set, SIGINT)
        var kept = set
        unsafe sigaddset(&kept, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &kept, nil)
    }

    /// Waits for one of them; the next one ends the process at once.
    func wait() {
        var set = set
        var signal: Int32 = 0
        unsafe sigwait(&set, &signal)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}
