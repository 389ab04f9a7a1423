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
    }

    private var sent: [Ticket: Sent] = [:]
    private var promises: [Promise] = []
    /// Versions and writes that are said to be known.
    private var knownVersions: [VersionID] = []
    private var knownWrites: [WriteID] = []

    mutating func sent(
        _ operations: [Operation], _ incarnation: Incarnation, _ ticket: UInt64, by device: Int
    ) {
        sent[Ticket(device: device, number: ticket)] = Sent(
            incarnation: incarnation, operations: operations)
    }

    mutating func answered(_ answer: RequestAnswer, _ ticket: UInt64, of device: Int) {
        let ticket = Ticket(device: device, number: ticket)
        guard case .outcomes(let outcomes) = answer, let sent = sent.removeValue(forKey: ticket)
        else { return }
        for (operation, outcome) in zip(sent.operations, outcomes) {
            switch outcome {
            case .accepted(let number):
                promises.append(
                    Promise(
                        incarnation: sent.incarnation, operation: operation.number, entry: number))
            case .known: noteKnown(operation.body)
            case .refused: break
            }
        }
    }

    private mutating func noteKnown(_ body: Operation.Body) {
        switch body {
        case .create(_, let kind, _, let version) where kind != .folder:
            knownVersions.append(version.id)
        case .edit(_, let version): knownVersions.append(version.id)
        case .write(let write): knownWrites.append(write.id)
        default: break
        }
    }

    func violations(in account: AccountTables) -> [Violation] {
        var violations: [Violation] = []
        for promise in promises {
            let index = Int(promise.entry) - 1
            let entry = account.log.indices.contains(index) ? account.log[index] : nil
            if entry?.incarnation == promise.incarnation, entry?.operation == promise.operation {
                continue
            }
            violations.append(
                broken("operation \(promise.operation) was acknowledged as entry \(promise.entry)"))
        }
        for version in knownVersions where account.versions[version] == nil {
            violations.append(broken("version \(version.text) was said to be known"))
        }
        for write in knownWrites where !account.hasWrite(write) {
            violations.append(broken("write \(write.text) was said to be known"))
        }
        return violations
    }

    private func broken(_ text: String) -> Violation {
        Violation(promise: "acknowledged is in the log", text: "\(text), and is not there")
    }
}
