/// What people here know of an item's versions, for a choice among them: it drops nothing that is
/// not known here.
extension Replica {
    /// Of so many items it is remembered what was told; who asks again is told again.
    private static var mostTold: Int { 1_000 }

    /// A person here has these versions of the item in a list.
    mutating func noteTold(_ given: ItemID, _ versions: [VersionID]) {
        let id = resolve(given)
        guard let node = nodes[id] else { return }
        let heads = node.record.remote?.heads.map { $0.version } ?? []
        let before = (told[id] ?? []).intersection(heads)
        if told[id] == nil, told.count >= Replica.mostTold { told.removeAll() }
        told[id] = before.union(versions)
    }

    /// A person here has made the version, by a command, of what is known here.
    mutating func noteMade(_ version: VersionID, of id: ItemID) {
        var versions = told[id] ?? []
        versions.insert(version)
        noteTold(id, Array(versions))
    }

    /// Whether somebody here has read the version, has saved it, or was told of it.
    package func isKnownHere(_ version: VersionID, of given: ItemID) -> Bool {
        let id = resolve(given)
        if mutant == .choiceDropsUntold { return true }
        return base(id)?.lastRead == version || told[id]?.contains(version) == true
    }

    /// The heads beside the one that is to be kept of which nobody here knows.
    package func untoldHeads(of given: ItemID, beside keep: VersionID) -> [VersionID] {
        heads(of: given).filter { $0 != keep && !isKnownHere($0, of: given) }
    }

    /// What an old version takes the place of when it is made current: what shows, on this disk or
    /// when it has arrived.
    package func standing(of given: ItemID) -> VersionID? {
        let id = resolve(given)
        let base = base(id)?.version
        let heads = nodes[id]?.record.remote?.heads ?? []
        // What was saved here a moment ago is what stands there, whatever the log says of it.
        if let base, outbox.all(on: id).contains(where: { $0.entry.body.version?.id == base }) {
            return base
        }
        let shown = heads.first { $0.hasContent } ?? heads.first
        return shown?.version ?? base
    }
}
