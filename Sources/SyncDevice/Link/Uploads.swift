import SyncCore
import SyncTransport
import SyncWire

/// Chunks on their way to the server, a few at a time; what is there already does not travel.
final class Uploads {
    private let link: ServerLink
    private let folder: ChunkFolder
    /// What is under way for an operation; it may begin anew with other chunks.
    private var runs: [UInt64: UInt64] = [:]
    private var lastRun: UInt64 = 0

    init(link: ServerLink, folder: ChunkFolder) {
        self.link = link
        self.folder = folder
    }

    /// Brings an unsent operation's chunks to the server.
    func start(_ entry: UInt64, _ chunks: [ChunkReference]) {
        lastRun += 1
        let run = lastRun
        runs[entry] = run
        let list = ChunkList(chunks.map(\.id))
        link.start(link.request("POST", "/v1/sync/chunks/missing", body: list.message())) {
            [weak self] result in
            guard let self, self.runs[entry] == run else { return }
            guard case .success(let response) = result, response.isSuccess,
                let missing = try? ChunkList(message: response.body)
            else {
                self.link.note(result)
                return self.end(entry, .uploaded(entry: entry, succeeded: false))
            }
            let wanted = Set(missing.chunks)
            self.put(entry, run, chunks.filter { wanted.contains($0.id) }[...])
        }
    }

    /// The operation needs its chunks no more.
    func cancel(_ entry: UInt64) { runs[entry] = nil }

    private func put(_ entry: UInt64, _ run: UInt64, _ left: ArraySlice<ChunkReference>) {
        guard let chunk = left.first else {
            return end(entry, .uploaded(entry: entry, succeeded: true))
        }
        let bytes: [UInt8]
        do throws(DiskError) {
            guard let found = try folder.read(chunk) else {
                return end(entry, .contentLost(entry: entry))
            }
            bytes = found
        } catch {
            return end(entry, .uploaded(entry: entry, succeeded: false))
        }
        link.start(link.request("PUT", "/v1/sync/chunks/\(chunk.id.text)", body: bytes)) {
            [weak self] result in
            guard let self, self.runs[entry] == run else { return }
            guard case .success(let response) = result, response.isSuccess else {
                self.link.note(result)
                return self.end(entry, .uploaded(entry: entry, succeeded: false))
            }
            self.link.refusal = nil
            self.put(entry, run, left.dropFirst())
        }
    }

    private func end(_ entry: UInt64, _ event: ReplicaEvent) {
        runs[entry] = nil
        link.tell(event)
    }
}
