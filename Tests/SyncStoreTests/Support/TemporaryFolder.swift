import Glibc

/// A new folder that goes with the last one who holds it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/ubiquity-store-XXXXXX".utf8CString)
        let made = mkdtemp(&template)
        path = String(cString: made!)
    }

    deinit { Self.remove(path) }

    var names: [String] { Self.names(in: path) }

    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    String(cString: $0)
                }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        for name in names(in: path) {
            let child = "\(path)/\(name)"
            if unlink(child) != 0 { remove(child) }
        }
        rmdir(path)
    }
}

func readFile(_ path: String) -> [UInt8] {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(file, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
}

func writeFile(_ path: String, _ bytes: [UInt8]) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    precondition(write(file, bytes, bytes.count) == bytes.count)
}
