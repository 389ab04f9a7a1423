import SyncCore
import SyncStore
import SyncWire
import Testing

/// The server: the production rules over a store in memory, and its pushes.
final class TestCloud {
    var store = MemoryAccountStore()
    var authority = Authority()
    var chunks: [ChunkID: [UInt8]] = [:]
    var now: Int64 = 1_000_000_000_000
    /// The devices with an open push stream.
    var listeners: [DeviceID: TestDevice] = [:]
    /// A push overtakes the answer to the request that it is of.
    var pushesComeFirst = true
    /// It keeps nothing of its log but the digests.
    var isTrimmed = false
    /// Items that it has no trace of any more.
    var forgotten: Set<ItemID> = []
    /// The bytes of a part of the log.
    var logLimit = 1_000_000
    /// How many requests were decided.
    var requests = 0
    private var contacts: [DeviceID: WallTime] = [:]

    func decide(
        _ operations: [Operation], of incarnation: Incarnation, by device: DeviceID
    ) -> RequestAnswer {
        requests += 1
        let wall = WallTime(milliseconds: now / 1_000_000)
        let sender = Sender(
            device: device, now: wall, lastContact: contacts[device] ?? wall,
            hash: testVault.hash)
        contacts[device] = wall
        let request = OperationRequest(
            incarnation: incarnation,
            operations: operations.map {
                ReceivedOperation(
                    operation: $0, hash: testVault.hash(CarriedOperation($0).body))
            })
        do {
            let before = try store.position()
            let decision = try authority.decide(request, from: sender, reading: store)
            try store.begin()
            try store.apply(decision.changes)
            try store.commit()
            AccountInvariants(image: store.committed).check()
            push(decision.entries, after: before)
            return decision.answer
        } catch {
            Issue.record(error)
            return .outcomes([])
        }
    }

    private func push(_ entries: [LogEntry], after before: Position) {
        guard !entries.isEmpty else { return }
        for device in listeners.values {
            let told = entries.map { $0.author == device.id ? $0.withoutInlineContent : $0 }
            device.incoming.append(.entries(after: before, told, head: position))
        }
    }

    var position: Position { (try? store.position()) ?? .start }

    func log(after position: Position, to device: DeviceID) -> ReplicaEvent {
        if isTrimmed, position != self.position { return .historyUnknown }
        switch try? store.log(after: position, limit: logLimit, to: device) {
        case .entries(let after, let entries, let head)?:
            return .entries(after: after, entries, head: head)
        case .historyUnknown?, nil: return .historyUnknown
        }
    }

    func snapshot(having landmarks: [Position]) -> AccountSnapshot? {
        guard let whole = try? authority.snapshot(for: landmarks, at: 0, reading: store) else {
            return nil
        }
        return AccountSnapshot(
            position: whole.position, common: whole.common,
            items: whole.items.filter { !forgotten.contains($0.id) }, aliases: whole.aliases,
            registers: whole.registers)
    }

    func version(_ id: VersionID) -> Version? {
        (try? store.storedVersion(id))?.version
    }

    func keep(_ chunk: [UInt8]) {
        let id = testVault.hash(chunk)
        chunks[id] = chunk
        do {
            try store.begin()
            try store.addChunk(id, size: UInt32(chunk.count))
            try store.commit()
        } catch {
            Issue.record(error)
        }
    }

    // MARK: What it holds

    var items: [ItemID: ItemState] { store.committed.items }
    var length: Int { store.committed.entries.count }

    /// The placed items by path, from the folder of the containers.
    var paths: [[Name]: ItemState] {
        var paths: [[Name]: ItemState] = [:]
        for state in items.values where state.standing == .placed {
            if let path = path(of: state) { paths[path] = state }
        }
        return paths
    }

    private func path(of state: ItemState) -> [Name]? {
        guard let name = Name(state.placement.name) else { return nil }
        if state.placement.folder == .top { return [name] }
        guard let folder = items[state.placement.folder], folder.standing == .placed else {
            return nil
        }
        return path(of: folder).map { $0 + [name] }
    }

    /// The texts of an item's heads, the one that shows first.
    func texts(_ state: ItemState) -> [String] {
        contents(state).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The contents of an item's heads, the one that shows first.
    func contents(_ state: ItemState) -> [[UInt8]] {
        state.heads.filter(\.hasContent).compactMap { head in
            guard let content = version(head.version)?.content else { return nil }
            switch content {
            case .none: return []
            case .inline(let bytes): return bytes
            case .chunks(let list): return joined(list, from: chunks)
            }
        }
    }

    /// The versions that an item ever had, oldest first.
    func history(of item: ItemID) -> [Version] {
        ((try? store.versions(of: item)) ?? []).map(\.version)
    }
}
