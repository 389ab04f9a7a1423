import DeviceSocket
import Foundation
import Glibc

/// A folder of its own, removed at the end.
final class TemporaryHome: Sendable {
    let home: DeviceHome
    private let top: String

    /// The home's path has at least so many bytes.
    init(pathBytes: Int = 0) {
        var template = Array("/tmp/ubiquity-socket-XXXXXX".utf8CString)
        top = String(cString: mkdtemp(&template)!)
        var path = top
        while path.utf8.count < pathBytes {
            path += "/" + String(repeating: "d", count: min(50, pathBytes))
            mkdir(path, 0o700)
        }
        home = DeviceHome(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: top) }

    var text: String { String(decoding: home.path, as: UTF8.self) }
}
