import Glibc

/// A file of a few kilobytes that is there whole and durable, or as it was before.
struct SmallFile {
    let path: [UInt8]

    /// What a write that was cut left behind is written over by the next one.
    func write(_ bytes: [UInt8], mode: mode_t) throws(SmallFileFailure) {
        let fresh = terminated(path + Array(".new".utf8))
        let file = unsafe open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard file >= 0 else { throw .last() }
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes {
                unsafe Glibc.write(file, $0.baseAddress, $0.count)
            }
            guard count > 0 else { throw .last() }
            written += count
        }
        guard fsync(file) == 0, unsafe rename(fresh, terminated(path)) == 0 else { throw .last() }
    }

    /// Nil if there is none, or it cannot be read.
    func read() -> [UInt8]? {
        let file = unsafe open(terminated(path), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe Glibc.read(file, $0.baseAddress, $0.count)
        }
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// False if there was none, or it stays.
    @discardableResult
    func remove() -> Bool { unsafe unlink(terminated(path)) == 0 }

    private func terminated(_ path: [UInt8]) -> [CChar] {
        path.map { CChar(bitPattern: $0) } + [0]
    }
}

/// Why a file cannot be written, in the system's words.
package struct SmallFileFailure: Error, CustomStringConvertible {
    package let description: String

    static func last() -> SmallFileFailure {
        SmallFileFailure(description: unsafe String(cString: strerror(errno)))
    }
}
