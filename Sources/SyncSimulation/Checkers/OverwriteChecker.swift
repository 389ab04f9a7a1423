import SyncCore
import SyncStore

/// Bytes of a person that the device's program takes from the disk for ever are at the server, or
/// on their way to it.
struct OverwriteChecker {
    let ledger: Ledger
    let known: Set<Digest>
    let now: Int64

    /// What a restored server has lost may be with others, who offer it.
    func violation(
        of save: SaveID, on device: SimulatedDevice, others: [SimulatedDevice]
    ) -> Violation? {
        let saved = ledger.saves[save]
        guard saved.excuse == nil else { return nil }
        let digest = simulatedHash(saved.bytes)
        guard !known.contains(digest), !isOnItsWay(saved.bytes, from: device),
            !others.contains(where: { holds(saved.bytes, $0) })
        else { return nil }
        return Violation(
            promise: "nothing local is overwritten unseen",
            text: "save \(save) at \(saved.path), lines \(saved.tokens), was taken from the disk "
                + "of device \(device.index) by \(now / 1_000_000) ms and is nowhere else")
    }

    private func holds(_ bytes: [UInt8], _ device: SimulatedDevice) -> Bool {
        isOnItsWay(bytes, from: device)
            || device.disk.allPaths().contains { device.disk[$0.1].bytes == bytes }
    }

    private func isOnItsWay(_ bytes: [UInt8], from device: SimulatedDevice) -> Bool {
        // A head that does not show is kept, for the server that is restored and lacks it.
        if device.store.committed.contents.values.contains(bytes) { return true }
        return device.store.committed.replica.outbox.values.contains { entry in
            switch entry.body.version?.content {
            case .inline(let content)?: content == bytes
            case .chunks(let chunks)?:
                chunks.flatMap { device.chunks[$0.id] ?? [] } == bytes
            default: false
            }
        }
    }
}
