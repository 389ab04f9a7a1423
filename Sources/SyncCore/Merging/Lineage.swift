/// The versions of an item and what each was made from, as far as that is known.
package struct Lineage {
    private var parents: [VersionID: [VersionID]] = [:]
    /// What is missing was never in the account: it has no parents.
    package var isWhole = false

    package init() {}

    mutating func reserve(_ count: Int) { parents.reserveCapacity(count) }

    package mutating func add(_ version: VersionID, parents: [VersionID]) {
        self.parents[version] = parents
    }

    /// The parents of a version; nil if they are not known.
    package func parents(of version: VersionID) -> [VersionID]? {
        parents[version] ?? (isWhole ? [] : nil)
    }

    /// The ancestors that both sides have and that are above no other such one, in the order of
    /// their ids; nil if too little is known to tell.
    ///
    /// A version is an ancestor of itself.
    package func nearestCommon(_ first: [VersionID], _ second: [VersionID]) -> [VersionID]? {
        let one = ancestry(of: first)
        let other = ancestry(of: second)
        let common = one.members.intersection(other.members)
        let open = one.open.union(other.open)
        // Beyond what both have there is nothing nearer.
        guard open.isSubset(of: common) else { return nil }
        let older = ancestry(of: common.flatMap { parents(of: $0) ?? [] }).members
        let nearest = common.subtracting(older).sorted()
        // One of several may be above another by ways that are not known.
        return nearest.count > 1 && !open.isEmpty ? nil : nearest
    }

    private func ancestry(
        of versions: [VersionID]
    ) -> (members: Set<VersionID>, open: Set<VersionID>) {
        var members = Set<VersionID>(minimumCapacity: parents.count + versions.count)
        var open: Set<VersionID> = []
        var next = versions
        while let version = next.popLast() {
            guard members.insert(version).inserted else { continue }
            guard let parents = parents(of: version) else {
                open.insert(version)
                continue
            }
            next.append(contentsOf: parents)
        }
        return (members, open)
    }
}
