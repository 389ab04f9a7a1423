import Glibc
import SyncDevice
import SyncServer

/// The program `ubiquity`: hands its arguments to whoever does the work.
enum Program {
    /// Gives the exit status.
    static func run(_ arguments: [[UInt8]]) -> Int32 {
        guard let first = arguments.first else { return DeviceCommand.run([]) }
        switch String(decoding: first, as: UTF8.self) {
        case "server":
            // Passwords' hashes and contents are for this user alone, whatever folder was given.
            umask(0o077)
            return ServerCommand.run(
                arguments.dropFirst().map { String(decoding: $0, as: UTF8.self) })
        case "help", "--help", "-h":
            print(help)
            return 0
        case "version", "--version":
            print("ubiquity \(ServerVersion.text)")
            return 0
        default: return DeviceCommand.run(arguments)
        }
    }

    private static var help: String {
        """
        \(DeviceCommand.usage)
        The password is asked for, or taken from UBIQUITY_PASSWORD. UBIQUITY_HOME is the device's
        folder, ~/Ubiquity if it is not set. A PATH is absolute or from the working directory.

        \(ServerCommand.usage)
        """
    }
}
