import SyncCore

/// One person who waits for the other device never meets a conflict or a changed name.
///
/// But for what comes back with a server that was restored: its deletion or move went with the
/// history, and another has its name since.
struct TypistChecker {
    let account: AccountTables

    func violations() -> [Violation] {
        var violations: [Violation] = []
        for entry in account.log {
            for case .item(let state, _) in entry.effects
            where state.heads.filter(\.hasContent).count > 1 && !account.returned.contains(state.id)
            {
                let name = Name(state.placement.name)?.text ?? "?"
                violations.append(
                    Violation(
                        promise: "one typist meets no conflict",
                        text: "entry \(entry.position.number) gives \(name) a second head"))
            }
        }
        return violations
    }
}
