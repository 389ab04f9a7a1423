import SyncCore

/// In the end the heads that are left do not merge, and every device says so.
struct ConflictChecker {
    let account: AccountTables

    func violations(of replica: Replica, device: Int) -> [Violation] {
        let said = Set(replica.conflicts())
        let several = Set(
            account.items.values.filter { $0.heads.filter(\.hasContent).count > 1 }.map(\.id))
        return said.symmetricDifference(several).sorted().map { item in
            let says = said.contains(item) ? "a conflict" : "none"
            return Violation(
                promise: "a conflict is one everywhere",
                text: "device \(device) says \(says) of \(item.text)")
        }
    }
}
