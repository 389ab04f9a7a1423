/// What the replica knows, for `status`, `ls`, `why` and the library.
extension Replica {
    package var cursor: Position { progress.cursor }

    /// The number up to which the disk holds no version that the log has replaced; the server keeps
    /// the contents that were replaced after it.
    package var installedNumber: UInt64 { progress.installed }

    /// Nothing is being looked at, read, installed or sent.
    package var isQuiet: Bool {
        dirtySlots.isEmpty && disk.listing.isEmpty && reading.isEmpty && dirtyItems.isEmpty
            && jobs.isEmpty && outbox.isEmpty && fetching.isEmpty && detached.isEmpty
            && unpulled.isEmpty && openHeads.isEmpty && losses.isEmpty
            && settling.values.allSatisfy { $0.isDecided }
    }

    package func status() -> ReplicaStatus {
        var downloads = 0
        var conflicts = 0
        var placeholders = 0
        var returned = 0
        var stuck: [ItemView] = []
        var unsettled: [ItemView] = []
        var open: [ItemID] = []
        for (id, node) in nodes {
            if isInConflict(node) { conflicts += 1 }
            if node.record.base?.placeholder != nil { placeholders += 1 }
            if hasReturned(node) { returned += 1 }
            if isUnsettled(node) { open.append(id) }
        }
        for id in open.sorted() {
            guard let node = nodes[id] else { continue }
            let mayMerge = hasOpenHeads(node)
            if node.pending == 0, isUnplacedElsewhere(node), !mayMerge { continue }
            if node.needsPlan || mayMerge, node.pending == 0 { downloads += 1 }
            guard let view = view(of: id) else { continue }
            unsettled.append(view)
            // The root is told of once.
            if view.progress == .stuck, view.problem != .rootUnavailable { stuck.append(view) }
        }
        let missing = missingRoots()
        let isAtHead = serverHead.map { progress.cursor.number >= $0.number } ?? false
        return ReplicaStatus(
            isConnected: isConnected, hasForeignHistory: hasForeignHistory,
            position: progress.cursor, outbox: outbox.count, downloads: downloads,
            conflicts: conflicts, placeholders: placeholders, stuck: stuck, unsettled: unsettled,
            isInSync: isConnected && isAtHead && isQuiet && unsettled.isEmpty
                && !hasForeignHistory && missing.isEmpty,
            missingRoots: missing, unconfirmed: outbox.ids { $0.awaitsConfirmation }.count,
            returned: returned)
    }

    /// A content that an item needs could not be had yet, or came damaged.
    package var awaitsContent: Bool {
        nodes.contains { id, node in node.lacksContent && view(of: id) != nil }
    }

    private func isUnsettled(_ node: Node) -> Bool {
        node.pending > 0 || node.problem != nil || node.needsPlan || hasOpenHeads(node)
            || node.record.loss != nil || node.record.lost != nil
    }

    /// The trash shows it; this disk owes it nothing.
    private func isUnplacedElsewhere(_ node: Node) -> Bool {
        node.record.base == nil && node.record.remote?.standing != .placed && node.problem == nil
    }

    /// Its heads, or some before them, were found not to merge, and no merge has come since.
    func isInConflict(_ node: Node) -> Bool {
        !node.record.conflict.isEmpty && node.record.remote?.heads.areSeveral ?? false
    }

    // MARK: Items

    package func view(of given: ItemID) -> ItemView? {
        let id = resolve(given)
        guard let node = nodes[id], let path = ownPath(of: id) ?? remotePath(of: id) else {
            return nil
        }
        let record = node.record
        let head = record.remote?.heads.first?.version
        let version = record.base?.version ?? head
        let facts = record.base?.facts ?? head.flatMap { known($0, of: id)?.facts }
        let due = retries[id].flatMap { $0.at.nanoseconds == .max ? nil : $0.at }
        let isAway = isInMissingRoot(id)
        return ItemView(
            id: id, kind: record.kind, path: path, facts: facts, version: version,
            progress: isAway ? .stuck : progress(of: node), hasConflict: isInConflict(node),
            problem: isAway ? .rootUnavailable : record.lost == nil ? node.problem : .lostByServer,
            nextAttempt: due)
    }

    /// Where the item is, under its own name also where a placeholder stands for it.
    private func ownPath(of id: ItemID) -> LocalPath? {
        guard let base = base(id), !base.isParked else { return nil }
        return path(of: base.ownSlot)
    }

    private func progress(of node: Node) -> ItemView.Progress {
        if node.record.lost != nil { return .stuck }
        switch node.problem {
        case .disk, .refused, .contentDamaged, .unreadable, .nameHeld, .rootUnavailable,
            .lostByServer:
            return .stuck
        case .busy, .contentUnavailable, nil: break
        }
        if node.pending > 0 || node.record.loss != nil { return .uploading }
        if node.needsPlan || hasOpenHeads(node) { return .downloading }
        return node.record.base?.placeholder == nil ? .current : .placeholder
    }

    /// Where the remote tree has an item that is not on this disk.
    private func remotePath(of id: ItemID) -> LocalPath? {
        var names: [Name] = []
        var next = id
        while next != .top {
            guard names.count < 4_096, let placement = nodes[next]?.record.remote?.placement,
                let bytes = vault.open(placement.name), let name = Name(bytes)
            else { return nil }
            names.append(name)
            next = resolve(placement.folder)
            if let path = path(of: next) {
                return LocalPath(names: path.names + names.reversed())
            }
        }
        return LocalPath(names: names.reversed())
    }

    /// The item at a path, on the disk or still owed to it.
    package func item(at path: LocalPath) -> ItemID? {
        var folder = ItemID.top
        for name in path.names {
            guard let next = child(name, of: folder) else { return nil }
            folder = next
        }
        return folder
    }

    private func child(_ name: Name, of folder: ItemID) -> ItemID? {
        if let id = item(at: Slot(folder: folder, name: name)) { return id }
        return remoteNames[TagSlot(folder: folder, tag: vault.tag(name.bytes))]
    }

    /// The items in a folder, by name: those on the disk and those still owed to it.
    package func children(of folder: ItemID) -> [ItemID] {
        var children = Set((slots[folder] ?? [:]).values)
        for id in remoteChildren[folder] ?? [] where base(id) == nil { children.insert(id) }
        // What cannot be read here comes last.
        var named: [(name: Name?, id: ItemID)] = []
        for id in children { named.append((name(of: id), id)) }
        named.sort { one, other in
            guard one.name != other.name else { return one.id < other.id }
            guard let first = one.name, let second = other.name else { return one.name != nil }
            return first < second
        }
        return named.map { $0.id }
    }

    /// The name on this disk, or the one that is owed to it.
    private func name(of id: ItemID) -> Name? {
        if let base = base(id) { return base.ownSlot.name }
        return nodes[id]?.record.remote.flatMap { slot(of: $0.placement)?.name }
    }

    /// What had been deleted and is there again, because the server was restored, until a person
    /// has confirmed that.
    package var undeleted: [ItemID] { nodes.filter { hasReturned($0.value) }.keys.sorted() }

    private func hasReturned(_ node: Node) -> Bool {
        node.record.hasReturned && node.record.base != nil
    }

    /// The items whose heads do not merge.
    package func conflicts() -> [ItemID] {
        nodes.filter { isInConflict($0.value) }.keys.sorted()
    }

    /// The heads with content, the one that shows first.
    package func heads(of id: ItemID) -> [VersionID] {
        nodes[resolve(id)]?.record.remote?.heads.filter { $0.hasContent }.map { $0.version } ?? []
    }

    /// What this device knows of a version: heads, and what the disk shows.
    package func description(of version: VersionID, of id: ItemID) -> KnownVersion? {
        known(version, of: resolve(id))
    }

    /// The version that the file on disk is; nil if there is none, or a placeholder.
    package func shown(of id: ItemID) -> (version: VersionID, stamp: FileStamp)? {
        base(resolve(id)).flatMap { $0.placeholder == nil ? ($0.version, $0.stamp) : nil }
    }

    /// The content of an operation that is still on its way, if it travels inline.
    package func unsentContent(of version: VersionID) -> StoredContent? {
        outbox.all.first { $0.entry.body.version?.id == version }?.entry.body.version?.content
    }

    /// The chunks that operations on their way need, and what was read for the next ones.
    package var unsentChunks: Set<ChunkID> {
        var chunks = keptChunks
        for content in contents.values {
            if case .chunks(let list) = content.content { chunks.formUnion(list.map { $0.id }) }
        }
        return chunks.union(outbox.all.flatMap { $0.entry.body.chunks.map { $0.id } })
    }

    /// The name that an item has on this disk.
    package func slot(of id: ItemID) -> Slot? { base(resolve(id))?.slot }

    /// The folder's own file, so that a path that is older than a rename is known; nil for the top.
    package func identity(of folder: ItemID) -> FileIdentity? {
        base(resolve(folder))?.stamp.identity
    }

    /// Where an item's file should be, also of one that is put aside.
    package func home(of id: ItemID) -> LocalPath? {
        base(resolve(id)).flatMap { path(of: $0.slot) }
    }

    /// The writes that the account has no room for.
    package func refusedKeys(store: [UInt8]) -> [[UInt8]] {
        registers.values.filter { $0.store == store && $0.refusal != nil }.map { $0.key }
            .sorted { $0.lexicographicallyPrecedes($1) }
    }
}
