import SyncCore

extension ReplicaEvent {
    /// The event with the contents of its versions damaged.
    var damaged: ReplicaEvent {
        switch self {
        case .entries(let after, let entries, let head):
            .entries(after: after, entries.map(\.damaged), head: head)
        case .described(let item, let id, let version):
            .described(item, id, version?.damaged)
        default: self
        }
    }
}

extension LogEntry {
    fileprivate var damaged: LogEntry {
        LogEntry(
            position: position, author: author, incarnation: incarnation, operation: operation,
            moment: moment,
            effects: effects.map { effect in
                guard case .item(let state, let version?) = effect else { return effect }
                return .item(state, introducing: version.damaged)
            })
    }
}

extension Version {
    fileprivate var damaged: Version {
        guard case .inline(let bytes) = content else { return self }
        return Version(
            id: id, parents: parents, nature: nature, facts: facts,
            content: .inline(bytes.map { ~$0 }))
    }
}
