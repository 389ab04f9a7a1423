import DeviceSocket
import SyncStore
import SyncTransport

/// Why a daemon cannot begin, in one line for people.
package struct DaemonStartFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ error: any Error, home: DeviceHome) {
        let path = String(decoding: home.path, as: UTF8.self)
        switch error {
        case HomeLockError.held(let process):
            let holder = process.map { " (process \($0))" } ?? ""
            description = "another daemon\(holder) runs on \(path): stop it, or use another home"
        case HomeLockError.system(let error):
            description = "cannot use \(path): \(error.description); choose a folder that you own"
        case StoreError.newerSchema:
            description = "a later version of ubiquity has used \(path): update this program"
        case let error as StoreError:
            description = "cannot use the device's state in \(path): \(error)"
        default: description = "cannot start on \(path): \(error)"
        }
    }
}
