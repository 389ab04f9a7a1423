import Glibc
import SyncCore
import SyncStore

/// What stands at a path, read a little at a time, as it was at one moment; its bytes are kept for
/// sending.
///
/// A file that is watched for readers is read so that the watch does not tell of us, and goes on
/// telling of others.
final class GradualRead {
    let request: ReadRequest
    /// Somebody had the file open, for reading, when we came.
    private(set) var wasBeingRead = false
    /// Stands for the file, whose bytes are nowhere else, once it is read.
    private(set) var uncopied: Descriptor?
    private var state: State

    private enum State {
        case reading(OpenRead)
        case package(PackageRead)
        case over(ReadOutcome)
    }

    /// Chunks that are known are at the server, or in the file that is read: their bytes are not
    /// kept.
    ///
    /// If it `syncs`, a file's bytes are durable where they lie when they are read. Only if it
    /// `copies` they are kept elsewhere, too: else they are sent from the file.
    init(
        _ request: ReadRequest, _ watched: WatchedReading?, _ folders: DeviceFolders,
        _ chunks: ChunkFolder, _ watcher: Watcher?, known: Set<ChunkID>, syncs: Bool,
        copies: Bool
    ) {
        self.request = request
        state = .over(.gone)
        do {
            let spot = try folders.spot(of: request.path)
            switch request.kind {
            case .file:
                let file = try open(spot, watched, watcher)
                if let read = try OpenRead(
                    file, spot, request, chunks, known, syncs: syncs, copies: copies)
                {
                    state = .reading(read)
                } else {
                    file.close()
                }
            case .link: state = .over(try Self.readLink(spot))
            case .package: state = .package(try PackageRead(spot, request, chunks, known, watcher))
            // A folder has no content.
            case .folder, .other: state = .over(.failed(.other))
            }
        } catch {
            state = .over(Self.outcome(of: error))
        }
    }

    private func open(
        _ spot: Spot, _ watched: WatchedReading?, _ watcher: Watcher?
    ) throws(DiskError) -> OpenContent {
        guard let watched, let watcher, watcher.isWatchingReading(watched.item) else {
            return .plain(try FileSystemCalls.openContent(spot))
        }
        let file = try QuietFile(spot, watcher)
        wasBeingRead = file.isBeingRead(installed: watched.installed)
        return .quiet(file)
    }

    /// Reads a little; nil if there is more.
    func step() -> ReadOutcome? {
        switch state {
        case .over(let outcome): return outcome
        case .reading(let read):
            return step { () throws(DiskError) in
                let outcome = try read.step()
                if case .content? = outcome { uncopied = read.uncopied() }
                return outcome
            }
        case .package(let read): return step { () throws(DiskError) in try read.step() }
        }
    }

    private func step(_ body: () throws(DiskError) -> ReadOutcome?) -> ReadOutcome? {
        do throws(DiskError) {
            guard let outcome = try body() else { return nil }
            end(outcome)
            return outcome
        } catch {
            let outcome = Self.outcome(of: error)
            end(outcome)
            return outcome
        }
    }

    /// Reads to the end.
    func finish() -> ReadOutcome {
        while true {
            if let outcome = step() { return outcome }
        }
    }

    /// Nobody waits for it any more.
    func abandon() { end(.busy) }

    private func end(_ outcome: ReadOutcome) {
        switch state {
        case .reading(let read): read.end()
        case .package(let read): read.end()
        case .over: break
        }
        state = .over(outcome)
    }

    private static func outcome(of error: DiskError) -> ReadOutcome {
        // A lease that another program holds is a writer, too.
        if error.code == EAGAIN { return .busy }
        return error.isMissing ? .gone : .failed(error.failure)
    }

    private static func readLink(_ spot: Spot) throws(DiskError) -> ReadOutcome {
        let before = try FileSystemCalls.look(spot)
        guard before.kind == .link else { return .gone }
        let target = try FileSystemCalls.readLink(spot)
        guard try FileSystemCalls.look(spot).stamp.isUntouched(since: before.stamp) else {
            return .busy
        }
        return .content(
            ReadContent(
                stamp: before.stamp, digest: SHA256.hash(target), prefixDigest: nil,
                content: .inline(target)))
    }
}

/// A file that is open and is being read.
private final class OpenRead {
    private let file: OpenContent
    private let spot: Spot
    private let stamp: FileStamp
    private let isBusy: Bool
    private let syncs: Bool
    private let copies: Bool
    private var steps = 0
    private var reading: Reading

    /// Nil if it is no file.
    init?(
        _ file: OpenContent, _ spot: Spot, _ request: ReadRequest, _ chunks: ChunkFolder,
        _ known: Set<ChunkID>, syncs: Bool, copies: Bool
    ) throws(DiskError) {
        self.syncs = syncs
        self.copies = copies
        let before = try file.withOpen { (open) throws(DiskError) in
            try FileSystemCalls.look(open)
        }
        guard before.kind == .file else { return nil }
        self.file = file
        self.spot = spot
        stamp = before.stamp
        let hasWriter = try file.withOpen { (open) throws(DiskError) in
            FileSystemCalls.hasWriter(open) == true
        }
        isBusy = hasWriter && !request.isForOpenFile
        reading = Reading(
            stamp: stamp, prefix: request.prefix, known: known, chunks: chunks, copies: copies)
    }

    func step() throws(DiskError) -> ReadOutcome? {
        guard !isBusy else { return .busy }
        steps += 1
        // What is changed or gone by now need not be read to its end.
        if steps % Self.stepsBetweenLooks == 0, try !isUnchanged() { return .busy }
        switch try reading.step(file) {
        case .going: return nil
        case .changed: return .busy
        case .complete:
            if syncs { try file.withOpen(FileSystemCalls.syncFound) }
            guard try isUnchanged() else { return .busy }
            try reading.publish()
            return .content(reading.result())
        }
    }

    /// Stands for the file, if its bytes were not to be kept elsewhere.
    func uncopied() -> Descriptor? {
        guard !copies else { return nil }
        // Without it, the bytes are gone with the file's name.
        return try? file.withOpen { (open) throws(DiskError) in
            try FileSystemCalls.openEntry(of: open)
        }
    }

    /// Also its name must still be there: what was read is to be the content of the slot.
    private func isUnchanged() throws(DiskError) -> Bool {
        let after = try file.withOpen { (open) throws(DiskError) in
            try FileSystemCalls.look(open).stamp
        }
        guard after.isUntouched(since: stamp), after.changed == stamp.changed else {
            return false
        }
        return try FileSystemCalls.lookIfThere(spot)?.stamp.identity == stamp.identity
    }

    func end() {
        reading.drop()
        file.close()
    }

    private static var stepsBetweenLooks: Int { 16 }
}
