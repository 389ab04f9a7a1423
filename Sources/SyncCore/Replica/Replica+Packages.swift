/// Folders that are one document: the disk shows a folder, and the trees have a leaf.
///
/// What is in one is no item. Its entry on the disk has a stamp that changes with each member, and
/// is read as a whole once nothing has happened in it for a while.
extension Replica {
    /// How long nothing must have happened in a package until it is read.
    static var packageRest: Int64 { 2_000 }

    /// Whether what stands at a name is one document.
    ///
    /// An item's kind never changes, whatever its name becomes; of what is no item yet the account
    /// knows it, or else its name tells.
    package func isPackage(_ slot: Slot, _ entry: DiskEntry) -> Bool {
        guard entry.kind.isDirectory else { return false }
        if let owner = identities[entry.stamp.identity], let kind = directoryKind(of: owner) {
            return kind == .package
        }
        if let present = item(at: slot), let kind = directoryKind(of: present) {
            return kind == .package
        }
        guard slot.folder != .top, !isRoot(slot) else { return false }
        let name = TagSlot(folder: slot.folder, tag: vault.tag(slot.name.bytes))
        if let id = remoteNames[name], let kind = directoryKind(of: id) { return kind == .package }
        return packages.contains(slot.name)
    }

    package func isPackage(_ id: ItemID) -> Bool { nodes[resolve(id)]?.record.kind == .package }

    /// The package that a path leads into; nil if it leads into none.
    package func package(around path: LocalPath) -> ItemID? {
        for count in 1..<max(1, path.names.count) {
            let part = LocalPath(names: Array(path.names.prefix(count)))
            if let id = item(at: part), isPackage(id) { return id }
        }
        return nil
    }

    /// Whether a package was seen whose folder that is.
    package func hasPackage(_ identity: FileIdentity) -> Bool {
        disk.places(of: identity).contains { disk[$0]?.kind == .package }
    }

    private func directoryKind(of id: ItemID) -> Kind? {
        guard let kind = nodes[id]?.record.kind, kind == .folder || kind == .package else {
            return nil
        }
        return kind
    }

    /// Whether packages of the item's name merge member by member.
    func mergesMembers(_ id: ItemID) -> Bool {
        guard let record = nodes[id]?.record, record.kind == .package else { return false }
        if let name = record.base?.slot.name { return packages.merges(name) }
        guard let placement = record.remote?.placement, let name = slot(of: placement)?.name else {
            return false
        }
        return packages.merges(name)
    }

    // MARK: Waiting for rest

    /// Something happened in a package: what is read of it from now on is not what was installed.
    mutating func stirred(_ identity: FileIdentity) {
        for slot in disk.places(of: identity) where disk[slot]?.kind == .package {
            if let id = identities[identity] ?? item(at: slot) { writtenUnread.insert(id) }
            if hasRested(slot) { writtenSince[slot] = now.steady }
            stirred[slot] = now.steady
            touch(slot)
        }
    }

    /// Whether a package had a rest, in which it could have been read, before it was stirred now.
    private func hasRested(_ slot: Slot) -> Bool {
        guard writtenSince[slot] != nil, let last = stirred[slot] else { return true }
        return now.steady.milliseconds(since: last) >= Replica.packageRest
    }

    /// Whether a package has had no rest for as long as a file may be kept open by its writer: it
    /// is read all the same then, as often as it takes to find it unchanged from end to end.
    func isRestless(_ slot: Slot) -> Bool {
        guard disk[slot]?.kind == .package, let since = writtenSince[slot] else { return false }
        return now.steady.milliseconds(since: since) >= Replica.openMilliseconds
    }

    /// Another look at a name: if a package shows other members than before, it has just changed.
    mutating func noteRest(of slot: Slot, _ entry: DiskEntry?) {
        let isAsked = !restLooks.isEmpty && restLooks.remove(slot) != nil
        guard let entry, entry.kind == .package else {
            if !stirred.isEmpty { stirred[slot] = nil }
            return
        }
        if isAsked { touch(slot) }
        guard !isAsked, disk[slot] != entry else { return }
        if let owner = identities[entry.stamp.identity], let base = base(owner),
            entry.stamp.provesSameContent(as: base.stamp)
        {
            return
        }
        stirred[slot] = now.steady
    }

    /// Nil if the name has no package, or one in which nothing has happened for a while, and that
    /// was looked at since.
    mutating func awaitingRest(_ slot: Slot, _ entry: DiskEntry) -> Resolution? {
        guard entry.kind == .package, let since = stirred[slot], !isRestless(slot) else {
            return nil
        }
        // It may be half of what is being saved.
        contents[slot] = nil
        let rest = mutant == .packageReadAtOnce ? 0 : Replica.packageRest
        let end = since.advanced(milliseconds: rest)
        guard end <= now.steady else { return .hold(until: end) }
        stirred[slot] = nil
        guard let path = path(of: slot) else { return nil }
        restLooks.insert(slot)
        actions.append(.look(slot: slot, path: path))
        return .hold(until: now.steady.advanced(milliseconds: 1_000))
    }

    /// Looks again if what was seen as a package is a folder by now, or the other way round: what
    /// the name is may have been decided since.
    mutating func looksAgainForKind(_ slot: Slot) -> Bool {
        guard let entry = disk[slot], entry.kind.isDirectory,
            isPackage(slot, entry) != (entry.kind == .package), let path = path(of: slot)
        else { return false }
        actions.append(.look(slot: slot, path: path))
        return true
    }
}
