package import SyncCore
internal import SyncWire

extension Version {
    /// The same with its content collected.
    var withoutContent: Version {
        Version(id: id, parents: parents, nature: nature, facts: facts, content: .none)
    }

    /// The same without bytes that the reader has or did not ask for; chunk references stay.
    package var withoutInlineContent: Version {
        guard case .inline = content else { return self }
        return Version(id: id, parents: parents, nature: nature, facts: facts, content: .none)
    }
}

extension LogEntry {
    /// The entry as its author is told of it.
    package var withoutInlineContent: LogEntry {
        LogEntry(
            position: position, author: author, incarnation: incarnation, operation: operation,
            moment: moment,
            effects: effects.map { effect in
                guard case .item(let state, let version?) = effect else { return effect }
                return .item(state, introducing: version.withoutInlineContent)
            })
    }

    /// About the bytes that it takes in a message.
    package var size: Int {
        StoredEffects(effects).encoded().count + entryOverhead
            + effects.reduce(0) { $0 + $1.contentSize }
    }
}
