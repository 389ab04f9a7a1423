import SyncCore
import SyncStore
import SyncTransport
import SyncWire

/// Contents on their way to the device, checked against what their versions say.
final class Downloads {
    private let link: ServerLink
    private let installer: Installer
    private let chunks: ChunkFolder
    private var arrived: [VersionID: Arrival] = [:]
    private var waiting: [FetchRequest] = []
    private var underWay: Set<VersionID> = []

    private static var most: Int { 4 }

    private enum Arrival {
        case bytes([UInt8])
        case file(StagedFile)
    }

    init(link: ServerLink, installer: Installer, chunks: ChunkFolder) {
        self.link = link
        self.installer = installer
        self.chunks = chunks
    }

    /// What a job installs, until it is released; nil if it did not arrive.
    func content(of version: VersionID) -> Installation.Content? {
        switch arrived[version] {
        case .bytes(let bytes): .bytes(bytes)
        case .file(let file): .staged(file)
        case nil: nil
        }
    }

    /// The bytes that arrived; nil if they are not there.
    func bytes(of version: VersionID) -> [UInt8]? {
        switch arrived[version] {
        case .bytes(let bytes): bytes
        case .file(let file): try? file.content()
        case nil: nil
        }
    }

    func release(_ version: VersionID) { arrived[version] = nil }

    /// A content that the device has itself.
    func add(_ bytes: [UInt8], for request: FetchRequest) { check(bytes, request) }

    func start(_ request: FetchRequest) {
        waiting.append(request)
        next()
    }

    private func next() {
        while underWay.count < Downloads.most, !waiting.isEmpty {
            let request = waiting.removeFirst()
            underWay.insert(request.version)
            if request.chunks.isEmpty { fetchInline(request) } else { fetchChunks(request) }
        }
    }

    private func end(_ request: FetchRequest, _ outcome: FetchOutcome) {
        underWay.remove(request.version)
        link.tell(.fetched(request.item, request.version, outcome))
        next()
    }

    private func fetchInline(_ request: FetchRequest) {
        link.version(request.version) { [weak self] message in
            guard let self else { return }
            guard let message else { return self.end(request, .unavailable) }
            switch message.version.content {
            case .inline(let bytes): self.check(bytes, request)
            case .none: self.check([], request)
            case .chunks(let chunks):
                self.fetchChunks(
                    FetchRequest(
                        item: request.item, version: request.version, facts: request.facts,
                        chunks: chunks))
            }
        }
    }

    private func check(_ bytes: [UInt8], _ request: FetchRequest) {
        guard SHA256.hash(bytes) == request.facts.digest else { return end(request, .damaged) }
        arrived[request.version] = .bytes(bytes)
        end(request, .arrived)
    }

    private func fetchChunks(_ request: FetchRequest) {
        do throws(DiskError) {
            fetch(request, request.chunks[...], into: try installer.stage())
        } catch {
            end(request, .failed(error.failure))
        }
    }

    /// One chunk after the other, so that memory holds one.
    private func fetch(
        _ request: FetchRequest, _ left: ArraySlice<ChunkReference>, into file: StagedFile
    ) {
        guard let chunk = left.first else {
            arrived[request.version] = .file(file)
            return end(request, .arrived)
        }
        // What this device has yet to upload is here only.
        if let own = try? chunks.read(chunk) {
            do throws(DiskError) {
                try file.append(own)
            } catch {
                return end(request, .failed(error.failure))
            }
            return fetch(request, left.dropFirst(), into: file)
        }
        link.start(link.request("GET", "/v1/sync/chunks/\(chunk.id.text)")) {
            [weak self] result in
            guard let self else { return }
            guard case .success(let response) = result, response.isSuccess else {
                return self.end(request, .unavailable)
            }
            guard SHA256.hash(response.body) == chunk.id else { return self.end(request, .damaged) }
            do throws(DiskError) {
                try file.append(response.body)
            } catch {
                return self.end(request, .failed(error.failure))
            }
            self.fetch(request, left.dropFirst(), into: file)
        }
    }
}
