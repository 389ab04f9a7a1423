/// After the faults have stopped no more is sent than what people left undone: no ping-pong.
///
/// With C items changed and D devices at most C × (D + 1) + 2 × D operations: each change once, and
/// for each change an answer of each device, such as a name that it gives when its own is taken;
/// and each device's container and `Documents`.
struct CalmChecker {
    /// Names that differ between a disk and the server, operations under way, and programs that
    /// still write, when the calm began.
    let changed: Int
    let devices: Int
    /// Operations that were decided since.
    let operations: Int

    static let promise = "no more is sent than there is to say"

    var bound: Int { changed * (devices + 1) + 2 * devices }

    func violations() -> [Violation] {
        guard operations > bound else { return [] }
        return [
            Violation(
                promise: Self.promise,
                text: "\(operations) operations after the calm began, with \(changed) items "
                    + "changed on \(devices) devices")
        ]
    }
}
