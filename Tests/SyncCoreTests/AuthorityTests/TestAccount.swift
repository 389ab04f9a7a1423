import SyncCore
import SyncStore
import SyncWire
import Testing

/// An account with the server's rules over a store in memory; every request is checked.
final class TestAccount {
    let store = MemoryAccountStore()
    var authority = Authority()
    var now = WallTime(milliseconds: 1_000_000)
    /// Looking at all that it holds takes too long for accounts that are large.
    var isLookedThrough = true
    private var lastContacts: [DeviceID: WallTime] = [:]
    private var numbers: [Incarnation: UInt64] = [:]

    /// Sends operations as one request under the device's next numbers.
    @discardableResult
    func send(
        _ bodies: Operation.Body..., by device: DeviceID = "a", age: UInt64 = 0,
        _ location: SourceLocation = #_sourceLocation
    ) -> [Outcome] {
        send(all: bodies, by: device, age: age, location)
    }

    @discardableResult
    func send(
        all bodies: [Operation.Body], by device: DeviceID, age: UInt64 = 0,
        _ location: SourceLocation = #_sourceLocation
    ) -> [Outcome] {
        let incarnation = Incarnation(device.high)
        let first = (numbers[incarnation] ?? 0) + 1
        let operations = bodies.enumerated().map { index, body in
            Operation(number: first + UInt64(index), age: age, body: body)
        }
        numbers[incarnation] = first + UInt64(bodies.count) - 1
        let decision = decide(operations, of: incarnation, by: device, location)
        guard case .outcomes(let outcomes) = decision.answer else {
            Issue.record("\(decision.answer)", sourceLocation: location)
            return []
        }
        return outcomes
    }

    /// Decides and commits a request as it stands.
    @discardableResult
    func decide(
        _ operations: [Operation], of incarnation: Incarnation, by device: DeviceID,
        _ location: SourceLocation = #_sourceLocation
    ) -> Decision {
        let received = operations.map {
            ReceivedOperation(
                operation: $0, hash: testVault.hash(CarriedOperation($0).body))
        }
        let sender = Sender(
            device: device, now: now, lastContact: lastContacts[device] ?? now,
            hash: testVault.hash)
        lastContacts[device] = now
        do {
            let decision = try authority.decide(
                OperationRequest(incarnation: incarnation, operations: received), from: sender,
                reading: store)
            try store.begin()
            try store.apply(decision.changes)
            try store.commit()
            if isLookedThrough { AccountInvariants(image: store.committed).check(location) }
            return decision
        } catch {
            Issue.record(error, sourceLocation: location)
            return Decision(answer: .outcomes([]))
        }
    }

    func addChunk(_ id: ChunkID, size: UInt32) throws {
        try store.begin()
        try store.addChunk(id, size: size)
        try store.commit()
    }

    /// The device was last heard of now.
    func hear(from device: DeviceID) { lastContacts[device] = now }

    // MARK: What the account holds

    func state(_ item: ItemID) -> ItemState? { store.committed.items[item] }
    func heads(_ item: ItemID) -> [VersionID] { state(item)?.heads.map(\.version) ?? [] }
    func standing(_ item: ItemID) -> Standing? { state(item)?.standing }
    func holder(of alias: ItemID) -> ItemID? { store.committed.aliases[alias] }
    var length: Int { store.committed.entries.count }

    /// The paths of all placed items.
    var paths: [String: ItemID] {
        var paths: [String: ItemID] = [:]
        for state in store.committed.items.values where state.standing == .placed {
            paths[path(of: state)] = state.id
        }
        return paths
    }

    private func path(of state: ItemState) -> String {
        let name = String(decoding: state.placement.name, as: UTF8.self)
        guard let folder = self.state(state.placement.folder) else { return name }
        return path(of: folder) + "/" + name
    }

    func value(_ key: String) -> String? {
        store.committed.registers[.named(key)]?.value.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension [Outcome] {
    /// `nil` for what was accepted, else the reason.
    var refusals: [Refusal?] {
        map { outcome in
            if case .refused(let refusal) = outcome { return refusal }
            return nil
        }
    }

    var areAccepted: Bool { refusals.allSatisfy { $0 == nil } }
}
