import SyncCore

/// A merge is nobody's typing: it takes heads only, each pair of them once, and makes no line.
struct MergeChecker {
    let account: AccountTables

    func violations() -> [Violation] { staleMerges() + wrongTexts() }

    private func staleMerges() -> [Violation] {
        var violations: [Violation] = []
        var heads: [ItemID: [VersionID]] = [:]
        var merged: Set<Set<VersionID>> = []
        for entry in account.log {
            for case .item(let state, let version) in entry.effects {
                if let version, version.nature == .settlement {
                    let before = heads[state.id] ?? []
                    if !version.parents.allSatisfy({ before.contains($0) }) {
                        violations.append(
                            broken("entry \(entry.position.number) replaces what was no head"))
                    }
                    if !merged.insert(Set(version.parents)).inserted {
                        violations.append(
                            broken("entry \(entry.position.number) replaces the same again"))
                    }
                }
                heads[state.id] = state.heads.map(\.version)
            }
        }
        return violations
    }

    /// What both sides have stays, what neither has does not come, and nothing comes twice.
    private func wrongTexts() -> [Violation] {
        var violations: [Violation] = []
        for id in account.versions.keys.sorted() {
            guard let version = account.versions[id], version.nature == .settlement else {
                continue
            }
            let sides = version.parents.map { Document.tokens(in: account.everContent(of: $0) ?? []) }
            let tokens = Document.tokens(in: account.everContent(of: id) ?? [])
            let all = sides.reduce(into: Set<Token>()) { $0.formUnion($1) }
            let common = sides.dropFirst().reduce(Set(sides.first ?? [])) {
                $0.intersection($1)
            }
            let text = "the merge of \(sides) is \(tokens)"
            let isChoice = sides.contains(tokens)
            if !isChoice, Set(tokens).count < tokens.count {
                violations.append(broken("a line came twice: \(text)"))
            }
            if !all.isSuperset(of: tokens) { violations.append(broken("a line came: \(text)")) }
            if !isChoice, !common.isSubset(of: tokens) {
                violations.append(broken("a line went: \(text)"))
            }
        }
        return violations
    }

    /// How many merges had to be made from a merge of their ancestors.
    var mergesWithSeveralAncestors: Int {
        var lineage = Lineage()
        lineage.isWhole = true
        for version in account.versions.values {
            lineage.add(version.id, parents: version.parents)
        }
        return account.versions.values.count { version in
            guard version.nature == .settlement, let first = version.parents.first else {
                return false
            }
            let others = Array(version.parents.dropFirst())
            return lineage.nearestCommon([first], others)?.count ?? 0 > 1
        }
    }

    private func broken(_ text: String) -> Violation {
        Violation(promise: "a merge is nobody's typing", text: text)
    }
}
