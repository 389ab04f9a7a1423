import SyncCore

/// What a device was told is in the log is there for ever.
struct AcknowledgementChecker {
    private struct Ticket: Hashable {
        let device: Int
        let number: UInt64
    }

    private struct Sent {
        let incarnation: Incarnation
        let operations: [Operation]
    }

    private struct Promise {
        let incarnation: Incarnation
        let operation: UInt64
        let entry: UInt64
        let version: VersionID?
        let write: WriteID?
        /// A folder that was there already keeps its own version.
        let folder: ItemID?
    }

    private var sent: [Ticket: Sent] = [:]
    private var promises: [Promise] = []

    mutating func sent(
        _ operations: [Operation], _ incarnation: Incarnation, _ ticket: UInt64, by device: Int
    ) {
        sent[Ticket(device: device, number: ticket)] = Sent(
            incarnation: incarnation, operations: operations)
    }

    /// The server is as it was: what it has said since of later entries is void, and so is what is
    /// still on its way.
    mutating func forget(after number: UInt64) {
        sent.removeAll()
        promises.removeAll { $0.entry > number }
    }

    mutating func answered(_ answer: RequestAnswer, _ ticket: UInt64, of device: Int) {
        let ticket = Ticket(device: device, number: ticket)
        guard case .outcomes(let outcomes) = answer, let sent = sent.removeValue(forKey: ticket)
        else { return }
        for (operation, outcome) in zip(sent.operations, outcomes) {
            guard case .accepted(let number) = outcome else { continue }
            promises.append(
                Promise(
                    incarnation: sent.incarnation, operation: operation.number, entry: number,
                    version: operation.body.kept, write: operation.body.write,
                    folder: operation.body.createdFolder))
        }
    }

    func violations(in account: AccountTables) -> [Violation] {
        var violations: [Violation] = []
        for promise in promises where !isKept(promise, in: account) {
            violations.append(
                broken("operation \(promise.operation) was acknowledged as entry \(promise.entry)"))
        }
        return violations
    }

    /// The entry is the operation's, or the log held its version or write already.
    private func isKept(_ promise: Promise, in account: AccountTables) -> Bool {
        let index = Int(promise.entry) - 1
        guard account.log.indices.contains(index) else { return false }
        let entry = account.log[index]
        if entry.incarnation == promise.incarnation, entry.operation == promise.operation {
            return true
        }
        if let version = promise.version { return account.versions[version] != nil }
        if let write = promise.write { return account.hasWrite(write) }
        if let folder = promise.folder {
            return account.items[account.aliases[folder] ?? folder] != nil
        }
        return true
    }

    private func broken(_ text: String) -> Violation {
        Violation(promise: "acknowledged is in the log", text: "\(text), and is not there")
    }
}

extension Operation.Body {
    /// The version that must be in the log; a folder may be in the trash already, or out
    /// of it, by another's.
    fileprivate var kept: VersionID? {
        switch self {
        case .removeFolder, .restoreFolder, .create(_, .folder, _, _): nil
        case .create, .edit, .move, .write: version?.id
        }
    }

    fileprivate var createdFolder: ItemID? {
        if case .create(let item, .folder, _, _) = self { item } else { nil }
    }

    fileprivate var write: WriteID? {
        if case .write(let write) = self { write.id } else { nil }
    }
}
