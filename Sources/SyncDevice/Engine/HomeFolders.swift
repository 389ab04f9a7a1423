import DeviceSocket
import Glibc
import SyncCore

/// The folders of containers, before there is an account.
enum HomeFolders {
    /// Makes what is missing; where that fails the session that begins later says why.
    static func make(_ containers: [Name], in home: DeviceHome) {
        make(home.containers)
        for name in containers {
            let container = home.containers + [0x2F] + name.bytes
            make(container)
            make(container + [0x2F] + Replica.documents.bytes)
        }
    }

    /// Whether a mount lies between the containers and the device's own folder.
    static func areApart(in home: DeviceHome) -> Bool {
        do throws(DiskError) {
            return try DeviceFolders(home: home.path).areContainersApart()
        } catch {
            // Whoever begins to work there says what else is wrong.
            return false
        }
    }

    /// For people: what is wrong then, and what to do.
    static func apart(_ home: DeviceHome) -> String {
        "\(shown(home.containers)) and \(shown(home.state)) are on two file systems, or a mount "
            + "lies between them, so nothing can be put into place by renaming it; have both on one"
    }

    private static func make(_ path: [UInt8]) {
        _ = unsafe mkdir(path.map { CChar(bitPattern: $0) } + [0], 0o755)
    }
}
