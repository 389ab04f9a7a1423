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
        try withOpen { (file) throws(DiskError) in
            // The last page of a map goes on behind the end of its file.
            let size = try FileSystemCalls.look(file).stamp.size
            guard offset < size, !stretch.isEmpty else { return 0 }
            let end = stretch.lowerBound + Int(min(UInt64(stretch.count), size - offset))
            let wanted = stretch.lowerBound..<end
            let got = FileSystemCalls.readMapped(file, at: offset, into: &buffer, wanted, scratch)
            if got == wanted.count { return got }
            // Where there are no maps of files we are taken for a reader, as are those of whom
            // nothing is known; a disk with an error says which.
            return got
                + (try FileSystemCalls.read(
                    file, at: offset + UInt64(got), into: &buffer, wanted.dropFirst(got)))
        }
    }

    /// What the closure does with the file is over when it returns.
    func withOpen<Value>(
        _ body: (Descriptor) throws(DiskError) -> Value
    ) throws(DiskError) -> Value {
        try file.withLock { (file) throws(DiskError) in
            guard let file else { throw DiskError(code: EBADF, call: "mmap") }
            return try body(file)
        }
    }

    /// Whether somebody has the file open at this moment, for reading, and it is as it was
    /// installed.
    ///
    /// Whoever had it open then and is not seen reading has read it before.
    func isBeingRead(installed: FileStamp) -> Bool {
        guard identity == installed.identity, watcher?.openCount(identity) == 1 else {
            // If it is we ourselves nothing can be said.
            return false
        }
        let isBeingRead = try? withOpen { (file) throws(DiskError) in
            guard FileSystemCalls.hasOthers(file) == true,
                // Whoever had it open may have been a writer, who is done by now.
                FileSystemCalls.hasWriter(file) == false
            else { return false }
            return try FileSystemCalls.look(file).stamp.isUnchanged(since: installed)
        }
        return isBeingRead ?? false
    }

    /// Nothing is read any more.
    func close() {
        guard file.withLock({ $0 != nil }) else { return }
        let end = { self.file.withLock { $0 = nil } }
        if let watcher { watcher.unseen(identity, entry, end) } else { end() }
    }
}

/// A file that is open to be read, with or without a watch that is not to tell of it.
enum OpenContent {
    case plain(Descriptor)
    case quiet(QuietFile)

    func read(
        at offset: UInt64, into buffer: inout [UInt8], _ stretch: Range<Int>
    ) throws(DiskError) -> Int {
        switch self {
        case .plain(let file):
            try FileSystemCalls.read(file, at: offset, into: &buffer, stretch)
        case .quiet(let file): try file.read(at: offset, into: &buffer, stretch)
        }
    }

    func withOpen<Value>(
        _ body: (Descriptor) throws(DiskError) -> Value
    ) throws(DiskError) -> Value {
        switch self {
        case .plain(let file): try body(file)
        case .quiet(let file): try file.withOpen(body)
        }
    }

    func close() {
        if case .quiet(let file) = self { file.close() }
    }
}
