import SyncCore

/// Nothing that a person saved is lost.
///
/// Every saved content is at the server for ever, unless the same person's own disk lost it before
/// the program could read it. Every line is in a head or in the trash, unless somebody who had it
/// before their eyes took it out: an edit's author, of the versions that the edit was made from.
struct LossChecker {
    let ledger: Ledger
    let account: AccountTables
    /// When each entry was committed, in virtual time.
    let commitTimes: [Int64]
    /// What was rightly collected need not be there.
    let witness: Witness

    func violations() -> [Violation] { lostContents() + lostLines() + lostValues() }

    private func lostContents() -> [Violation] {
        var kept = witness.expiredContents
        for id in account.versions.keys {
            if let bytes = account.content(of: id) { kept.insert(simulatedHash(bytes)) }
        }
        return ledger.saves.enumerated().compactMap { number, save in
            guard save.excuse == nil, !kept.contains(simulatedHash(save.bytes)) else { return nil }
            return Violation(
                promise: "every content is kept",
                text: "save \(number) on device \(save.device) at \(save.path), "
                    + "lines \(save.tokens), is nowhere")
        }
    }

    private func lostLines() -> [Violation] {
        var shown: Set<Token> = []
        for item in account.items.values {
            for head in item.heads {
                // What is in the trash is there to be restored.
                let ids =
                    head.hasContent
                    ? [head.version] : account.versions[head.version]?.parents ?? []
                for id in ids {
                    shown.formUnion(Document.tokens(in: account.content(of: id) ?? []))
                }
            }
        }
        let removed = ledger.removed.union(removedByEdits()).union(witness.expiredTokens)
        var violations: [Violation] = []
        var told: Set<Token> = []
        for save in ledger.saves
        where save.excuse != .lostWithPower && save.excuse != .underTemporaryName {
            for token in save.tokens
            where !shown.contains(token) && !removed.contains(token) {
                guard told.insert(token).inserted else { continue }
                violations.append(
                    Violation(
                        promise: "a line goes only by somebody who had read it",
                        text: "line \(token) of device \(save.device) at \(save.path) is in no "
                            + "current version"))
            }
        }
        return violations
    }

    /// Lines of an edit's parents that it does not have, if its device's people had seen them.
    func removedByEdits() -> Set<Token> {
        var removed: Set<Token> = []
        for (entry, time) in zip(account.log, commitTimes) {
            let device = Int(entry.author.low) - 1
            for case .item(_, let version?) in entry.effects where version.nature == .edit {
                let kept = Set(Document.tokens(in: account.everContent(of: version.id) ?? []))
                for parent in version.parents {
                    for token in Document.tokens(in: account.everContent(of: parent) ?? [])
                    where !kept.contains(token) {
                        if ledger.hadSeen(token, on: device, by: time) { removed.insert(token) }
                    }
                }
            }
        }
        return removed
    }

    private func lostValues() -> [Violation] {
        var kept: Set<[UInt8]> = []
        for case let value? in account.writes.values { kept.insert(value) }
        return ledger.settings.compactMap { setting in
            guard !setting.isExcused, !setting.value.isEmpty, !kept.contains(setting.value),
                !witness.expiredValues.contains(setting.value)
            else {
                return nil
            }
            let value = String(decoding: setting.value, as: UTF8.self)
            return Violation(
                promise: "every value is kept",
                text: "value \(value) set on device \(setting.device) is nowhere")
        }
    }
}
