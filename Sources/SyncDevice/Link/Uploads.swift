import SyncCore
import SyncTransport
import SyncWire

/// Chunks on their way to the server, a few at a time; what is there already does not travel.
final class Uploads {
    private let link: ServerLink
    private let folder: ChunkFolder
    private var entries: [UInt64: [ChunkReference]] = [:]

    init(link: ServerLink, folder: ChunkFolder) {
        self.link = link
        self.folder = folder
    }

    /// Chunks that an unsent operation needs, by operation.
    func start(_ entry: UInt64, _ chunks: [ChunkReference]) {
        guard entries[entry] == nil else { return }
        entries[entry] = chunks
        let list = ChunkList(chunks.map(\.id))
        link.start(link.request("POST", "/v1/sync/chunks/missing", body: list.message())) {
            [weak self] result in
            guard let self else { return }
            guard case .success(let response) = result, response.isSuccess,
                let missing = try? ChunkList(message: response.body)
            else {
                self.link.note(result)
                return self.end(entry, succeeded: false)
            }
            let wanted = Set(missing.chunks)
            self.put(entry, chunks.filter { wanted.contains($0.id) }[...])
        }
    }

    /// The operation needs its chunks no more.
    func release(_ entry: UInt64, stillNeeded: (ChunkID) -> Bool, _ chunks: [ChunkReference]) {
        entries[entry] = nil
        for chunk in chunks where !stillNeeded(chunk.id) {
            // One that stays behind is removed by the next start.
            try? folder.remove(chunk.id)
        }
    }

    private func put(_ entry: UInt64, _ left: ArraySlice<ChunkReference>) {
        guard entries[entry] != nil else { return }
        guard let chunk = left.first else { return end(entry, succeeded: true) }
        guard let bytes = try? folder.read(chunk) else { return end(entry, succeeded: false) }
        link.start(link.request("PUT", "/v1/sync/chunks/\(chunk.id.text)", body: bytes)) {
            [weak self] result in
            guard let self else { return }
            guard case .success(let response) = result, response.isSuccess else {
                self.link.note(result)
                return self.end(entry, succeeded: false)
            }
            self.link.refusal = nil
            self.put(entry, left.dropFirst())
        }
    }

    private func end(_ entry: UInt64, succeeded: Bool) {
        entries[entry] = nil
        link.tell(.uploaded(entry: entry, succeeded: succeeded))
    }
}
