import DeviceSocket
import Glibc
import SyncCore
import SyncStore
import SyncTransport
import SyncWire

/// Contents and versions.
extension Daemon {
    func content(
        _ path: [UInt8], _ version: VersionID?, _ offset: UInt64, _ caller: Caller,
        _ session: Session
    ) {
        guard let id = item(path, caller, session) else { return }
        let shown = session.replica.shown(of: id)?.version
        if let version, version != shown {
            return stored(version, of: id, offset, caller, session)
        }
        guard !session.replica.isPackage(id) else {
            return fail(caller, .unsupported, "it is a package: its files are in its folder")
        }
        guard let local = session.replica.path(of: id), !session.replica.isPlaceholder(id) else {
            return heads(of: id, offset, caller, session)
        }
        let file = home.containers + [0x2F] + local.bytes
        guard let part = FileStretch.read(file, from: offset) else {
            return fail(
                caller, .notFound, "the file cannot be read; `ubiquity why` says how it stands")
        }
        // What the person saved a moment ago is not a version yet; the bytes are the file's.
        reply(
            .content(ContentPart(bytes: part.bytes, size: part.size, version: shown)), to: caller)
    }

    /// An item that is not on the disk: the head that would show.
    private func heads(
        of id: ItemID, _ offset: UInt64, _ caller: Caller, _ session: Session
    ) {
        guard let head = session.replica.heads(of: id).first else {
            return fail(
                caller, .notFound, "it has no content that could be shown; folders have none")
        }
        stored(head, of: id, offset, caller, session)
    }

    private func stored(
        _ version: VersionID, of id: ItemID, _ offset: UInt64, _ caller: Caller,
        _ session: Session
    ) {
        if let bytes = session.ownContent(of: version) {
            return reply(.content(ContentPart(bytes, from: offset, version)), to: caller)
        }
        guard session.link.condition == .open else {
            return failWithoutServer(caller, "the version is at the server")
        }
        if let lastCut, lastCut.version == version {
            return chunk(lastCut.chunks, version, offset, caller)
        }
        session.link.content(of: version) { [weak self] result in
            guard let self else { return }
            guard let message = self.had(result, caller) else { return }
            switch message.version.content {
            case .inline(let bytes):
                self.reply(.content(ContentPart(bytes, from: offset, version)), to: caller)
            case .none: self.reply(.content(ContentPart([], from: 0, version)), to: caller)
            case .chunks(let chunks): self.chunk(chunks, version, offset, caller)
            }
        }
    }

    /// The stretch from the offset on that the chunks there have, up to what fits a part.
    private func chunk(
        _ chunks: [ChunkReference], _ version: VersionID, _ offset: UInt64, _ caller: Caller
    ) {
        lastCut = (version, chunks)
        let size = chunks.reduce(UInt64(0)) { $0 + UInt64($1.size) }
        var start: UInt64 = 0
        guard
            let first = chunks.firstIndex(where: { chunk in
                if offset < start + UInt64(chunk.size) { return true }
                start += UInt64(chunk.size)
                return false
            })
        else {
            return reply(.content(ContentPart(bytes: [], size: size, version: version)), to: caller)
        }
        var wanted: [ChunkReference] = []
        var count = 0
        for chunk in chunks[first...] {
            count += Int(chunk.size)
            if !wanted.isEmpty, count > ContentPart.mostBytes { break }
            wanted.append(chunk)
        }
        fetch(wanted, from: offset - start, size, version, caller)
    }

    /// Those of the chunks that come at once; the program asks again for what follows.
    private func fetch(
        _ chunks: [ChunkReference], from offset: UInt64, _ size: UInt64, _ version: VersionID,
        _ caller: Caller
    ) {
        guard let session else { return failWithoutAccount(caller) }
        var seen: Set<ChunkID> = []
        let question = ChunkList(chunks.map(\.id).filter { seen.insert($0).inserted })
        let request = session.link.request(
            "POST", "/v1/sync/chunks/fetch", body: question.message())
        session.link.start(request) { [weak self] result in
            guard let bytes = Daemon.bytes(of: chunks, in: result) else {
                self?.failWithoutServer(caller, "the content cannot be had from the server")
                return
            }
            let part = bytes.dropFirst(Int(offset)).prefix(ContentPart.mostBytes)
            self?.reply(
                .content(ContentPart(bytes: Array(part), size: size, version: version)),
                to: caller)
        }
    }

    /// The bytes of the first chunks, as far as they came; nil if not even the first did.
    private static func bytes(
        of chunks: [ChunkReference], in result: Result<HTTPClientResponse, HTTPClientError>
    ) -> [UInt8]? {
        guard case .success(let response) = result, response.isSuccess,
            let bundle = try? ChunkBundle(message: response.body)
        else { return nil }
        var arrived: [ChunkID: ArraySlice<UInt8>] = [:]
        bundle.eachChunk { chunk, bytes in arrived[chunk.id] = bytes }
        var content: [UInt8] = []
        for chunk in chunks {
            guard let bytes = arrived[chunk.id], SHA256.hash(bytes) == chunk.id else { break }
            content += bytes
        }
        return content.isEmpty ? nil : content
    }

    // MARK: Versions

    func tellConflicts(_ caller: Caller, _ session: Session) {
        let ids = session.replica.conflicts()
        let authors = ids.flatMap { id in
            session.replica.heads(of: id).compactMap {
                session.replica.description(of: $0, of: id)?.author
            }
        }
        knowNames(of: authors, session) { [weak self] in
            guard let self, let session = self.session else { return }
            self.reply(.conflicts(self.conflicts(session)), to: caller)
        }
    }

    /// Asks the server for the names of devices that joined since they were last asked for.
    func knowNames(
        of devices: [DeviceID], _ session: Session, then: @escaping () -> Void
    ) {
        let areKnown = devices.allSatisfy {
            deviceNames[$0] != nil || $0 == session.identity.device
        }
        guard !areKnown, session.link.condition == .open else { return then() }
        session.link.start(session.link.question("GET", "/v1/devices")) { [weak self] result in
            if case .success(let response) = result, response.isSuccess {
                self?.deviceNames = DeviceNames.read(response.body)
            }
            then()
        }
    }

    private func conflicts(_ session: Session) -> [ConflictRow] {
        session.replica.conflicts().compactMap { id in
            guard let view = session.replica.view(of: id) else { return nil }
            let heads = session.replica.heads(of: id)
            let rows = heads.enumerated().map { index, head in
                row(head, of: id, isCurrent: index == 0, isConflict: index > 0, session)
            }
            return ConflictRow(path: view.path.bytes, item: id, heads: rows)
        }
    }

    private func row(
        _ version: VersionID, of id: ItemID, isCurrent: Bool, isConflict: Bool,
        _ session: Session
    ) -> VersionRow {
        let known = session.replica.description(of: version, of: id)
        let isHere =
            session.replica.shown(of: id)?.version == version
            || session.ownContent(of: version) != nil
        return VersionRow(
            version: version, device: known?.author, deviceName: name(of: known?.author),
            modified: known?.facts.modified ?? FileTime(seconds: 0, nanoseconds: 0),
            accepted: known?.moment, size: known?.facts.size ?? 0, isCurrent: isCurrent,
            isConflict: isConflict, isDeletion: false, isHere: isHere)
    }

    func name(of device: DeviceID?) -> String {
        guard let device else { return "" }
        if device == session?.identity.device { return session?.identity.deviceName ?? "" }
        return deviceNames[device] ?? device.text
    }

    func versions(_ path: [UInt8], _ caller: Caller, _ session: Session) {
        guard let id = item(path, caller, session) else { return }
        guard session.link.condition == .open else {
            return failWithoutServer(caller, "old versions are at the server")
        }
        session.link.versions(of: id) { [weak self] messages in
            guard let self, let messages else {
                self?.failWithoutServer(caller, "which versions there are is not known")
                return
            }
            self.knowNames(of: messages.map(\.author), session) {
                self.reply(.versions(messages.map { self.row($0, of: id) }), to: caller)
            }
        }
    }

    private func row(_ message: VersionMessage, of id: ItemID) -> VersionRow {
        let heads = session?.replica.heads(of: id) ?? []
        let hasConflict = session?.replica.view(of: id)?.hasConflict ?? false
        let version = message.version
        let facts = VersionFacts(bytes: version.facts)
        return VersionRow(
            version: version.id, device: message.author, deviceName: name(of: message.author),
            modified: facts?.modified ?? FileTime(seconds: 0, nanoseconds: 0),
            accepted: message.moment, size: facts?.size ?? 0,
            isCurrent: heads.first == version.id,
            isConflict: hasConflict && heads.dropFirst().contains(version.id),
            isDeletion: !version.hasContent,
            isHere: session?.replica.shown(of: id)?.version == version.id,
            isExpired: message.isCollected)
    }
}

extension ContentPart {
    /// The stretch of a content in memory.
    fileprivate init(_ bytes: [UInt8], from offset: UInt64, _ version: VersionID) {
        let stretch = bytes.dropFirst(Int(clamping: offset)).prefix(ContentPart.mostBytes)
        self.init(bytes: Array(stretch), size: UInt64(bytes.count), version: version)
    }
}

/// A stretch of a file, or of a link's target.
enum FileStretch {
    static func read(_ path: [UInt8], from offset: UInt64) -> (bytes: [UInt8], size: UInt64)? {
        let terminated = path.map { CChar(bitPattern: $0) } + [0]
        var file = opened(terminated)
        // Our own reading thread gives a file up when somebody wants to open it.
        for _ in 0..<100 where file < 0 && errno == EWOULDBLOCK {
            usleep(2_000)
            file = opened(terminated)
        }
        guard file >= 0 else { return errno == ELOOP ? target(terminated, offset) : nil }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: ContentPart.mostBytes)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(file, $0.baseAddress, $0.count, off_t(clamping: offset))
        }
        guard count >= 0 else { return nil }
        return (Array(bytes[..<count]), UInt64(status.st_size))
    }

    private static func opened(_ path: [CChar]) -> Int32 {
        unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }

    private static func target(
        _ path: [CChar], _ offset: UInt64
    ) -> (bytes: [UInt8], size: UInt64)? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = unsafe readlink(path, &buffer, buffer.count)
        guard count >= 0 else { return nil }
        let bytes = buffer[..<count].map { UInt8(bitPattern: $0) }
        return (Array(bytes.dropFirst(Int(clamping: offset))), UInt64(count))
    }
}
