import SyncCore

/// The log is dense, its digests chain, and no operation is in it twice.
struct LogChecker {
    private struct OperationKey: Hashable {
        let incarnation: Incarnation
        let number: UInt64
    }

    func violations(in account: AccountTables) -> [Violation] {
        var violations: [Violation] = []
        var operations: Set<OperationKey> = []
        var versions: Set<VersionID> = []
        var digests: Set<Digest> = [.zero]
        for (index, entry) in account.log.enumerated() {
            if entry.position.number != UInt64(index) + 1 {
                violations.append(broken("entry \(entry.position.number) stands at \(index + 1)"))
            }
            if !digests.insert(entry.position.digest).inserted {
                violations.append(broken("entry \(index + 1) repeats a digest"))
            }
            let key = OperationKey(incarnation: entry.incarnation, number: entry.operation)
            if !operations.insert(key).inserted {
                violations.append(broken("operation \(entry.operation) is entry \(index + 1) too"))
            }
            for case .item(_, let version?) in entry.effects
            where !versions.insert(version.id).inserted {
                violations.append(broken("version \(version.id.text) came twice"))
            }
        }
        return violations
    }

    private func broken(_ text: String) -> Violation {
        Violation(promise: "the log is dense and exact", text: text)
    }
}
