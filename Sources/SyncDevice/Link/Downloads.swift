import SyncCore
import SyncStore
import SyncTransport
import SyncWire

/// Contents on their way to the device, checked against what their versions say.
final class Downloads {
    private let link: ServerLink
    private let folder: DownloadFolder
    private let assembling: AssemblyThread
    private var arrived: [VersionID: Arrival] = [:]
    private var waiting = WaitingFetches()
    private var underWay: [VersionID: FetchRequest] = [:]
    private var longUnderWay = 0
    /// What the server is to be asked for as soon as a limit lets it come.
    private var questions = Queue<AssemblyQuestion>()
    /// Items whose content is being put together; another version of theirs comes after that, and
    /// takes from it what both have.
    private var busy: Set<ItemID> = []
    private var parked: [ItemID: [FetchRequest]] = [:]
    /// What was begun last of an item, and is in the folder as far as it came.
    private var last: [ItemID: FetchRequest] = [:]

    /// Which files on this device may have some of the chunks; asked when a content is begun.
    var sources: (FetchRequest) -> [ChunkSource] = { _ in [] }

    private static var most: Int { 6 }
    private static var mostLong: Int { 3 }

    private enum Arrival {
        case bytes([UInt8])
        case file(StagedFile, ItemID)
    }

    init(link: ServerLink, folder: DownloadFolder, assembling: AssemblyThread) {
        self.link = link
        self.folder = folder
        self.assembling = assembling
    }

    /// What a job installs, until it is released; nil if it did not arrive.
    func content(of version: VersionID) -> Installation.Content? {
        switch arrived[version] {
        case .bytes(let bytes): .bytes(bytes)
        case .file(let file, _): .staged(file)
        case nil: nil
        }
    }

    /// The bytes that arrived; nil if they are not there.
    func bytes(of version: VersionID) -> [UInt8]? {
        switch arrived[version] {
        case .bytes(let bytes): bytes
        case .file(let file, _): try? file.content()
        case nil: nil
        }
    }

    /// Nobody needs the content any more, come or not.
    ///
    /// What has come of it stays if another content of the item is awaited, to take from it.
    func release(_ version: VersionID, isAwaited: (ItemID) -> Bool) {
        if let arrival = arrived.removeValue(forKey: version) {
            guard case .file(let file, let item) = arrival else { return }
            file.discard()
            if last[item]?.version == version { last[item] = nil }
        } else {
            cancel(version, isAwaited: isAwaited)
        }
    }

    private func cancel(_ version: VersionID, isAwaited: (ItemID) -> Bool) {
        waiting.remove(version)
        for item in parked.keys { parked[item]?.removeAll { $0.version == version } }
        guard let request = underWay.removeValue(forKey: version) else { return }
        if request.isLong { longUnderWay -= 1 }
        if last[request.item]?.version == version {
            let keepsParts = isAwaited(request.item)
            assembling.cancel(version, keepsParts: keepsParts)
            if !keepsParts { last[request.item] = nil }
            endAssembling(request)
        }
        next()
    }

    /// A content that the device has itself.
    func add(_ bytes: [UInt8], for request: FetchRequest) {
        begin(request)
        check(bytes, request)
    }

    func start(_ request: FetchRequest) {
        waiting.insert(request)
        next()
    }

    private func next() {
        while underWay.count < Downloads.most,
            let request = waiting.removeFirst(orLong: longUnderWay < Downloads.mostLong)
        {
            // Two at one content would write to one file, which may stand in the tree by then.
            guard !isHere(request.version) else {
                link.tell(.fetched(request.item, request.version, .arrived))
                continue
            }
            guard !busy.contains(request.item) else {
                parked[request.item, default: []].append(request)
                continue
            }
            begin(request)
            if request.chunks.isEmpty { fetchInline(request) } else { assemble(request) }
        }
    }

    /// Whether the content has come, and was not installed yet.
    private func isHere(_ version: VersionID) -> Bool {
        switch arrived[version] {
        case .bytes: true
        case .file(let file, _): !file.isInstalled
        case nil: false
        }
    }

    private func begin(_ request: FetchRequest) {
        if underWay.updateValue(request, forKey: request.version) == nil, request.isLong {
            longUnderWay += 1
        }
    }

    private func end(_ request: FetchRequest, _ outcome: FetchOutcome) {
        guard underWay.removeValue(forKey: request.version) != nil else { return }
        if request.isLong { longUnderWay -= 1 }
        link.tell(.fetched(request.item, request.version, outcome))
        next()
    }

    private func fetchInline(_ request: FetchRequest) {
        link.version(request.version) { [weak self] message in
            guard let self, self.underWay[request.version] != nil else { return }
            guard let message else { return self.end(request, .unavailable) }
            switch message.version.content {
            case .inline(let bytes): self.check(bytes, request)
            case .none: self.check([], request)
            case .chunks(let chunks):
                self.assemble(
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

    // MARK: Chunks

    private func assemble(_ request: FetchRequest) {
        busy.insert(request.item)
        let sources = sources(request) + earlier(of: request)
        last[request.item] = request
        assembling.begin(request, sources)
    }

    /// What has come of a version that was replaced before it was installed.
    private func earlier(of request: FetchRequest) -> [ChunkSource] {
        guard let other = last[request.item], other.version != request.version else { return [] }
        let file = folder.openIfThere(other.version)
        if arrived[other.version] == nil { folder.remove(other.version) }
        return file.map { [ChunkSource(file: $0, chunks: other.chunks)] } ?? []
    }

    private func endAssembling(_ request: FetchRequest) {
        busy.remove(request.item)
        for next in parked.removeValue(forKey: request.item) ?? [] { waiting.insert(next) }
    }

    /// Takes what the thread that puts contents together has come to.
    func takeReports() {
        for report in assembling.takeReports() {
            switch report {
            case .needs(let question): questions.append(question)
            // What was cancelled meanwhile is nobody's.
            case .complete(let request, _, _) where underWay[request.version] == nil:
                folder.remove(request.version)
            case .complete(let request, let size, let digest):
                let spot = folder.spot(of: request.version)
                arrived[request.version] = .file(
                    StagedFile(downloaded: spot, count: size, digest: digest), request.item)
                endAssembling(request)
                end(request, .arrived)
            case .failed(let request, _) where underWay[request.version] == nil: break
            case .failed(let request, let outcome):
                endAssembling(request)
                end(request, outcome)
            }
        }
        while !questions.isEmpty, link.down.isFree(at: Clock.now().steady),
            let question = questions.takeFirst()
        {
            if underWay[question.version] != nil { ask(question) }
        }
    }

    /// When a limit lets it go on; nil if it waits for no limit.
    func due(after now: Instant) -> Instant? {
        questions.isEmpty ? nil : link.down.due(after: now)
    }

    private func ask(_ question: AssemblyQuestion) {
        let body = ChunkList(question.question.chunks).message()
        let request = link.request("POST", "/v1/sync/chunks/fetch", body: body)
        link.start(request, expecting: question.question.bytes) { [weak self] result in
            var bytes: [UInt8]?
            if case .success(let response) = result, response.isSuccess { bytes = response.body }
            self?.assembling.answer(question, bytes)
        }
    }
}

/// Contents that wait for their turn: short ones do not wait for long ones.
private struct WaitingFetches {
    private var short = Queue<FetchRequest>()
    private var long = Queue<FetchRequest>()
    /// Those that are still wanted.
    private var wanted: Set<VersionID> = []

    mutating func insert(_ request: FetchRequest) {
        guard wanted.insert(request.version).inserted else { return }
        if request.isLong { long.append(request) } else { short.append(request) }
    }

    mutating func remove(_ version: VersionID) { wanted.remove(version) }

    mutating func removeFirst(orLong allowsLong: Bool) -> FetchRequest? {
        while let request = short.takeFirst() ?? (allowsLong ? long.takeFirst() : nil) {
            if wanted.remove(request.version) != nil { return request }
        }
        return nil
    }
}

extension FetchRequest {
    fileprivate var isLong: Bool { facts.size > 8 * 1_048_576 }
}
