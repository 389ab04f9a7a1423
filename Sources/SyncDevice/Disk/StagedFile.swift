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
    /// It stays until it is discarded, also when this program ends.
    private let isKept: Bool

    init(_ spot: Spot, isKept: Bool = false) {
        self.spot = spot
        self.isKept = isKept
    }

    deinit {
        if !isKept { discard() }
    }

    func discard() {
        if !isHandedOver { try? FileSystemCalls.removeOwn(spot) }
        isHandedOver = true
    }
}

/// A content that is being put together in the device's own folder, to be installed.
///
/// What is not installed goes with the last reference, or stays until it is discarded if it was
/// downloaded. Only one thread at a time uses it.
package final class StagedFile {
    let entry: StagedEntry
    private var file: Descriptor?
    private var hash: SHA256?
    private var count: UInt64 = 0
    private var digest: Digest?

    init(_ spot: Spot) throws(DiskError) {
        file = try FileSystemCalls.openNew(spot)
        entry = StagedEntry(spot)
        hash = SHA256()
    }

    /// One that is complete and durable.
    init(downloaded spot: Spot, count: UInt64, digest: Digest) {
        entry = StagedEntry(spot, isKept: true)
        self.count = count
        self.digest = digest
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

    /// Nobody needs it any more.
    package func discard() { entry.discard() }

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
        // A descriptor for writing would make the file look busy once it has its name.
        let written = file.take()
        let open: Descriptor
        if let written { open = written } else { open = try reopened() }
        try tolerating { () throws(DiskError) in
            try FileSystemCalls.setMode(open, facts.mode)
        }
        try tolerating { () throws(DiskError) in
            try FileSystemCalls.setModified(entry.spot, facts.modified)
        }
        if syncs { try synced(open) }
        return true
    }

    /// The file opened for reading, if its bytes are the version's.
    func opened(as facts: VersionFacts) throws(DiskError) -> Descriptor? {
        if let hash = hash.take() { digest = hash.finish() }
        guard count == facts.size, digest == facts.digest, !isInstalled else { return nil }
        return try FileSystemCalls.openContent(entry.spot)
    }

    private func reopened() throws(DiskError) -> Descriptor {
        do {
            return try FileSystemCalls.openContent(entry.spot)
        } catch {
            // It has its mode already, which does not let us read it.
            guard error.code == EACCES else { throw error }
            return try FileSystemCalls.openEntry(entry.spot)
        }
    }

    private func synced(_ open: Descriptor) throws(DiskError) {
        do {
            try FileSystemCalls.sync(open)
        } catch {
            // It could not be opened for that, and was synced when it got its mode.
            guard error.code == EBADF else { throw error }
        }
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
