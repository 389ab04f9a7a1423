import DeviceSocket
import SyncWire

/// The home that a command works on, and the daemon that runs there.
struct CommandHome {
    let home: DeviceHome

    /// The container of the command line and of notes.
    static let container = Array("iCloud.org.ubiquity.notes".utf8)
    /// What of that container a person sees, as the daemon has the path.
    static let documents = container + Array("/Documents".utf8)

    init(_ home: DeviceHome) { self.home = home }

    /// The person's.
    init() throws(CommandFailure) {
        guard let home = DeviceHome.fromEnvironment() else {
            throw .failed(
                "no home is known: neither UBIQUITY_HOME nor HOME is set; set one of them")
        }
        self.init(home)
    }

    /// For people.
    var name: String { shown(home.path) }

    /// Nil if no daemon runs there.
    func connectIfRunning() throws(CommandFailure) -> DeviceClient? {
        do throws(DeviceClientError) {
            return try DeviceClient(home: home)
        } catch {
            if error == .notRunning { return nil }
            throw .failed("cannot speak to the device on \(name): \(error)")
        }
    }

    func connect() throws(CommandFailure) -> DeviceClient {
        if let client = try connectIfRunning() { return client }
        throw .failed("no device runs on \(name); start it with `ubiquity device run`")
    }

    // MARK: Paths

    var documents: [UInt8] { absolute(CommandHome.documents) }
    /// Where the daemon keeps what was found and has no place.
    var setAside: [UInt8] { home.state + Array("/set-aside".utf8) }

    /// A person's path as the daemon has it.
    func inside(_ path: [UInt8]) throws(CommandFailure) -> [UInt8] {
        if let inside = home.pathInContainers(path) { return inside }
        throw .failed(
            "\(shown(path)) is in no container of \(name); give a path in \(shown(home.containers))"
        )
    }

    /// The daemon's path as a person can use it from anywhere.
    func absolute(_ inside: [UInt8]) -> [UInt8] {
        inside.isEmpty ? home.containers : home.containers + [UInt8(ascii: "/")] + inside
    }
}

/// Asks the daemon; what it does not do ends the command.
func asking<Value>(
    _ what: String, _ body: () throws(DeviceClientError) -> Value
) throws(CommandFailure) -> Value {
    do throws(DeviceClientError) {
        return try body()
    } catch {
        throw .failed("\(what): \(error)")
    }
}
