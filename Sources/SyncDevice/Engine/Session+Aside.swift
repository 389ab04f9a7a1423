import SyncCore
import SyncStore

/// A long file that was read and not copied: its bytes are nowhere but in it.
struct UncopiedFile {
    /// Stands for it, whatever becomes of its name.
    let file: Descriptor
    let since: Instant
    /// How many of its chunks are copied by now.
    var copied = 0
    /// It could not be gone on with then.
    var triedInVain: Instant?

    func copied(through count: Int) -> UncopiedFile {
        var file = self
        file.copied = count
        file.triedInVain = nil
        return file
    }

    /// A file that is not sent soon is copied aside after all: it may be written over, and what
    /// stands for it does not outlive the daemon.
    func due(isConnected: Bool) -> Instant {
        if let triedInVain { return triedInVain.advanced(milliseconds: 30_000) }
        return isConnected ? since.advanced(milliseconds: 30_000) : since
    }
}

extension Session {
    private static var copiedAtOnce: Int { 4 * 1_048_576 }
    private static var mostUncopied: Int { 128 }

    /// Keeps what stands for a file that was read and not copied, until it is sent: it may be
    /// removed, or another one may take its name.
    func hold(_ file: Descriptor?, _ digest: Digest) {
        guard let file, uncopied.count < Session.mostUncopied else { return }
        uncopied[digest] = UncopiedFile(file: file, since: Clock.now().steady)
        hasReleased = true
    }

    /// When the next of them is to be copied.
    var copyDue: Instant? {
        let isConnected = link.condition == .open
        return uncopied.values.map { $0.due(isConnected: isConnected) }.min()
    }

    /// Copies a little of what is due, so that a note does not wait for it.
    func copyAside(at now: Instant) {
        let isConnected = link.condition == .open
        let due = uncopied.filter { $0.value.due(isConnected: isConnected) <= now }
        guard let (digest, held) = due.min(by: { $0.value.since < $1.value.since }) else { return }
        guard let entry = replica.entry(bringing: digest),
            let version = replica.version(ofEntry: entry)
        else {
            // It is no operation yet, or none any more: then it is let go when chunks are.
            uncopied[digest]?.triedInVain = now
            return
        }
        guard disk.chunks.fits(UInt64(Session.copiedAtOnce)) else {
            uncopied[digest]?.triedInVain = now
            return
        }
        do throws(DiskError) {
            let copied = held.copied + (try copy(version.chunks[held.copied...], of: entry))
            let isWhole = copied >= version.chunks.count
            uncopied[digest] = isWhole ? nil : held.copied(through: copied)
        } catch {
            uncopied[digest]?.triedInVain = now
        }
    }

    /// Gives how many are copied, or need not be: what the file does not have any more is noticed
    /// when it is to be sent.
    private func copy(
        _ chunks: ArraySlice<ChunkReference>, of entry: UInt64
    ) throws(DiskError) -> Int {
        var some: [ChunkReference] = []
        var bytes = 0
        for chunk in chunks {
            if !some.isEmpty, bytes + Int(chunk.size) > Session.copiedAtOnce { break }
            some.append(chunk)
            bytes += Int(chunk.size)
        }
        guard let found = self.chunks(Set(some.map { $0.id }), inFileOf: entry) else {
            return chunks.count
        }
        var unfinished: [UnfinishedChunk] = []
        for (id, bytes) in found {
            if let chunk = try disk.chunks.write(bytes[...], id: id) { unfinished.append(chunk) }
        }
        try disk.chunks.publish(unfinished)
        return some.count
    }
}
