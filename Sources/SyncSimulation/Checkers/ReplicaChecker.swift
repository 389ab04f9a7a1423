import SyncCore

/// In the end every device knows the same heads and values as the server, and has nothing to send.
struct ReplicaChecker {
    let account: AccountTables

    /// A device that cannot read its files may owe the account what it has lost, and what builds on
    /// it.
    func violations(image: ReplicaImage, device: Int, isUnavailable: Bool) -> [Violation] {
        var violations: [Violation] = []
        if image.progress?.cursor != account.position() {
            let number = image.progress?.cursor.number ?? 0
            let text = "its cursor is \(number), the log is at \(account.position().number)"
            violations.append(broken(device, text))
        }
        if !image.outbox.isEmpty, !isUnavailable {
            violations.append(broken(device, "\(image.outbox.count) operations are not sent"))
        }
        for id in account.items.keys.sorted() {
            guard let state = account.items[id], state.standing == .placed else { continue }
            let known = image.nodes[id]?.remote
            if known?.heads != state.heads || known?.placement != state.placement {
                violations.append(broken(device, "item \(id.text) is not as the server has it"))
            }
        }
        for (key, state) in account.registers where image.registers[key]?.remote != state {
            violations.append(broken(device, "a register is not as the server has it"))
        }
        return violations
    }

    private func broken(_ device: Int, _ text: String) -> Violation {
        Violation(promise: "all devices come to agree", text: "device \(device): \(text)")
    }
}
