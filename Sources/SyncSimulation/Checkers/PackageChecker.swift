import SyncCore

/// Each version of a package is one that somebody saved, whole: never a mixture of two, nor half of
/// what was being saved, unless a failure of power has left that.
struct PackageChecker {
    let ledger: Ledger
    let account: AccountTables

    func violations() -> [Violation] {
        var whole = ledger.allowedHalves
        for save in ledger.saves { whole.insert(simulatedHash(save.bytes)) }
        var violations: [Violation] = []
        for entry in account.log {
            for case .item(let state, let version?) in entry.effects
            where state.kind == .package && version.hasContent {
                guard let bytes = account.everContent(of: version.id),
                    !whole.contains(simulatedHash(bytes))
                else { continue }
                violations.append(
                    Violation(
                        promise: "a package is never a mixture",
                        text: "entry \(entry.position.number) has a package that nobody saved, "
                            + "lines \(Document.tokens(in: bytes))"))
            }
        }
        return violations
    }
}
