import CLinux
import Glibc
import SyncCore

/// The calls of inotify.
extension FileSystemCalls {
    static func openNotifications() throws(DiskError) -> Descriptor {
        try opened("inotify_init1") {
            inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        }
    }

    static func openMemory() throws(DiskError) -> Descriptor {
        try opened("memfd_create") { clinux_open_memory() }
    }

    /// Watches what the descriptor stands for; the same again gives the same number.
    ///
    /// It goes through `/proc`, because the call takes a path and a path may have become another
    /// file's.
    static func addWatch(
        _ notifications: Descriptor, _ open: Descriptor, mask: UInt32
    ) throws(DiskError) -> Int32 {
        let path = procPath(open)
        let watch = unsafe inotify_add_watch(notifications.number, path, mask)
        guard watch >= 0 else { throw .last("inotify_add_watch") }
        return watch
    }

    /// False if the watch was gone already.
    static func removeWatch(_ notifications: Descriptor, _ watch: Int32) -> Bool {
        inotify_rm_watch(notifications.number, watch) == 0
    }

    /// Takes events out of the kernel's queue; the buffer must hold at least one with its name.
    static func readNotifications(
        _ notifications: Descriptor, _ buffer: inout [UInt8]
    ) throws(DiskError) -> [Notification] {
        let size = buffer.count
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe Glibc.read(notifications.number, bytes.baseAddress, size)
        }
        guard count >= 0 else {
            if errno == EAGAIN || errno == EINTR { return [] }
            throw .last("read")
        }
        return unsafe buffer.withUnsafeBytes { bytes in
            unsafe parse(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }

    private static func parse(_ bytes: UnsafeRawBufferPointer) -> [Notification] {
        var list: [Notification] = []
        var start = 0
        while start + 16 <= bytes.count {
            let length = Int(
                unsafe bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
            let name = unsafe bytes[(start + 16)..<min(start + 16 + length, bytes.count)]
            list.append(
                Notification(
                    watch: unsafe bytes.loadUnaligned(fromByteOffset: start, as: Int32.self),
                    mask: unsafe bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self),
                    name: Name(unsafe Array(name.prefix { $0 != 0 }))))
            start += 16 + length
        }
        return list
    }

    /// The numbers of the watches that the kernel still has.
    static func liveWatches(_ notifications: Descriptor) throws(DiskError) -> Set<Int32> {
        let path = "/proc/self/fdinfo/\(notifications.number)"
        let file = try opened("open") { unsafe open(path, O_RDONLY | O_CLOEXEC) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try read(file, into: &buffer, count: buffer.count)
            text.append(contentsOf: buffer[..<count])
            if count < buffer.count { break }
        }
        var watches: Set<Int32> = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            // "inotify wd:1f ino:...", in hexadecimal.
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard words.count > 1, words[0] == "inotify", words[1].hasPrefix("wd:") else {
                continue
            }
            if let watch = Int32(words[1].dropFirst(3), radix: 16) { watches.insert(watch) }
        }
        return watches
    }
}

/// One event as inotify gives it.
struct Notification: Hashable {
    let watch: Int32
    let mask: UInt32
    /// Nil for what concerns the watched thing itself.
    let name: Name?

    func has(_ flag: Int32) -> Bool { mask & UInt32(bitPattern: flag) != 0 }
}
