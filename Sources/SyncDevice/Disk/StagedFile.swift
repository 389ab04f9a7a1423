import Glibc
import SyncCore
import SyncStore

/// An entry in the staging folder on its way into the tree; it goes with the last reference.
///
/// What a swap brings under its name is not its own: that is handed over before.
final class StagedEntry {
    let spot: Spot
    /// The name may hold something else by now: whoever swaps it in looks after it.
    var isHandedOver = false

    init(_ spot: Spot) { self.spot = spot }

    deinit {
        if !isHandedOver { try? FileSystemCalls.removeFile(spot) }
    }
}

/// A content that is being put together in the device's own folder, to be installed.
///
/// What is not installed goes with the last reference. Only one thread at a time uses it.
package final class StagedFile {
    let entry: StagedEntry
    private var file: Descriptor?
    private var hash: SHA256? = SHA256()
    private var count: UInt64 = 0
    private var digest: Digest?

    init(_ spot: Spot) throws(DiskError) {
        file = try FileSystemCalls.openNew(spot)
        entry = StagedEntry(spot)
    }

    /// It has its name in the tree; until then it can be tried again, after a busy file or so.
    package var isInstalled: Bool { entry.isHandedOver }

    /// Adds bytes at the end.
    package func append(_ bytes: [UInt8]) throws(DiskError) {
        guard let file else { preconditionFailure("a file that is complete gets no more bytes") }
        try FileSystemCalls.write(bytes[...], to: file)
        hash?.update(bytes)
        count += UInt64(bytes.count)
    }

    /// All that was put into it.
    package func content() throws(DiskError) -> [UInt8] {
        let file = try FileSystemCalls.openContent(entry.spot)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        let got = try FileSystemCalls.read(file, into: &bytes, count: bytes.count)
        return Array(bytes[..<got])
    }

    /// Completes the file with its mode and time; false if its bytes are not the version's.
    ///
    /// It is durable after that only if `syncs`.
    func complete(as facts: VersionFacts, syncs: Bool) throws(DiskError) -> Bool {
        if let hash = hash.take() { digest = hash.finish() }
        guard count == facts.size, digest == facts.digest, !isInstalled else { return false }
        let open: Descriptor
        if let file { open = file } else { open = try FileSystemCalls.openEntry(entry.spot) }
        try tolerating { () throws(DiskError) in
            try FileSystemCalls.setMode(open, facts.mode)
        }
        try tolerating { () throws(DiskError) in
            try FileSystemCalls.setModified(entry.spot, facts.modified)
        }
        // A descriptor for writing would make the file look busy once it has its name.
        if let file = file.take(), syncs { try FileSystemCalls.sync(file) }
        return true
    }
}

/// A file system without modes, or with a smaller range of times, keeps what it can.
///
/// The planner compares with what is read back.
func tolerating(_ body: () throws(DiskError) -> Void) throws(DiskError) {
    do {
        try body()
    } catch {
        switch error.code {
        case EPERM, EOPNOTSUPP, ENOSYS, EINVAL: return
        default: throw error
        }
    }
}
