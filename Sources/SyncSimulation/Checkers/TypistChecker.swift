import SyncCore

/// One person who waits for the other device never meets a conflict or a changed name.
struct TypistChecker {
    let account: AccountTables

    func violations() -> [Violation] {
        var violations: [Violation] = []
        for entry in account.log {
            for case .item(let state, _) in entry.effects
            where state.heads.filter(\.hasContent).count > 1 {
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
