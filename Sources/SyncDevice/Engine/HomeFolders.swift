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

    private static func make(_ path: [UInt8]) {
        _ = unsafe mkdir(path.map { CChar(bitPattern: $0) } + [0], 0o755)
    }
}
