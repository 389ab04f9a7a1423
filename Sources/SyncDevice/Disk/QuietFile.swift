import Glibc
import SyncCore
import Synchronization

/// A file that is open to be read by us, which no watch for readers tells of; nor does it hide who
/// reads the file meanwhile.
///
/// It is read by way of a map, of which inotify says nothing, and closed where no watch looks.
package final class QuietFile: Sendable {
    /// Stands for the file without having it open.
    private let entry: Descriptor
    private let file: Mutex<Descriptor?>
    private let scratch: Descriptor
    private let identity: FileIdentity
    private let watcher: Watcher?

    /// Nobody watches the device's own files: they need no watcher.
    init(_ spot: Spot, _ watcher: Watcher?) throws(DiskError) {
        let open = try FileSystemCalls.openContent(spot)
        identity = try FileSystemCalls.look(open).stamp.identity
        entry = try FileSystemCalls.openEntry(of: open)
        scratch = try FileSystemCalls.openMemory()
        file = Mutex(open)
        self.watcher = watcher
        watcher?.noteOpened(identity)
    }

    deinit { close() }

    /// A stretch of the file; nil if it cannot be had.
    func read(at offset: UInt64, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try? read(at: offset, into: &bytes, 0..<count)
        return got == count ? bytes : nil
    }

    /// Reads into a stretch of the buffer, fewer bytes at the end of the file; gives how many.
    func read(
        at offset: UInt64, into buffer: inout [UInt8], _ stretch: Range<Int>
    ) throws(DiskError) -> Int {
        try file.withLock { (file) throws(DiskError) in
            guard let file else { throw DiskError(code: EBADF, call: "mmap") }
            // The last page of a map goes on behind the end of its file.
            let size = try FileSystemCalls.look(file).stamp.size
            guard offset < size else { return 0 }
            let end = stretch.lowerBound + Int(min(UInt64(stretch.count), size - offset))
            return try FileSystemCalls.readMapped(
                file, at: offset, into: &buffer, stretch.lowerBound..<end, scratch)
        }
    }

    /// Nothing is read any more.
    func close() {
        guard file.withLock({ $0 != nil }) else { return }
        let end = { self.file.withLock { $0 = nil } }
        if let watcher { watcher.unseen(identity, entry, end) } else { end() }
    }
}
