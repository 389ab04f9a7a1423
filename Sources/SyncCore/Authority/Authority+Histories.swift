/// Positions tell whether a device and this log have one history; a snapshot brings the device
/// here.
extension Authority {
    /// Whether the log has the position: the number with the same digest.
    package func holds<Reader: AccountReader>(
        _ position: Position, reading reader: Reader
    ) throws(Reader.Failure) -> Bool {
        guard let digest = try reader.digest(at: position.number) else { return false }
        return digest == position.digest || mutant == .cursorWithoutDigest
            || mutant == .epochAsCounter
    }

    /// The account as it is, for a device that names positions which it had.
    ///
    /// Of the trash it holds what was deleted since, and what can still be restored: of the rest
    /// the device knew that it was gone.
    package func snapshot<Reader: SnapshotReader>(
        for landmarks: [Position], at collection: UInt64, reading reader: Reader
    ) throws(Reader.Failure) -> AccountSnapshot {
        var common = Position.start
        for landmark in landmarks where landmark.number > common.number {
            if try holds(landmark, reading: reader) { common = landmark }
        }
        let restorable = min(common.number, try reader.restorable(at: collection))
        return AccountSnapshot(
            position: try reader.position(), common: common,
            items: try reader.states()
                .filter { $0.standing != .trashed || $0.changed > restorable }
                .sorted { $0.id < $1.id },
            aliases: try reader.allAliases().sorted { $0.item < $1.item },
            registers: try reader.allRegisters().sorted { $0.write < $1.write })
    }
}

/// What a snapshot reads of one account, beside what a collection does; in any order.
package protocol SnapshotReader: CollectionReader {
    func states() throws(Failure) -> [ItemState]
    func allAliases() throws(Failure) -> [ItemAlias]
    func allRegisters() throws(Failure) -> [RegisterState]
}
