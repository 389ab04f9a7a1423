import SyncCore

/// What must be the same whether the server can read or not: ids, heads, places and numbers.
extension TraceDigest {
    mutating func add<Subject>(_ id: Identifier<Subject>) {
        add(id.high)
        add(id.low)
    }

    mutating func add(shapeOf entry: LogEntry) {
        add(entry.position.number)
        add(entry.author)
        add(entry.incarnation.value)
        add(entry.operation)
        for effect in entry.effects { add(shapeOf: effect) }
    }

    private mutating func add(shapeOf effect: Effect) {
        switch effect {
        case .item(let state, let version):
            add(state.id)
            add(UInt64(state.standing.rawValue))
            add(state.placement.id)
            add(state.placement.folder)
            add(state.changed)
            for head in state.heads { add(head.version) }
            for parent in version?.parents ?? [] { add(parent) }
        case .alias(let item, let holder):
            add(item)
            add(holder)
        case .folderRemoved(let folder, let deletion, let survivors):
            add(folder)
            add(deletion)
            for survivor in survivors { add(survivor) }
        case .register(let state):
            add(state.write)
            add(UInt64(bitPattern: state.stamp.milliseconds))
        }
    }

    /// What a device has on its disk, and how far it has read the log.
    mutating func add(shapeOf image: ReplicaImage) {
        add(image.progress?.cursor.number ?? 0)
        for id in image.nodes.keys.sorted() {
            guard let base = image.nodes[id]?.base else { continue }
            add(id)
            add(base.version)
            add(base.placement)
            add(base.slot.folder)
            add(base.slot.name.bytes)
        }
    }
}
