/// An item in the three trees, as far as they are durable; the disk itself is the third.
///
/// It is large, and goes from hand to hand with every change: copies share it.
package struct NodeRecord: Sendable {
    private var form: Form

    private enum Form: Sendable {
        case full(Shared<Fields>)
        case settled(Shared<SettledRecord>)
    }

    private struct Fields: Hashable, Sendable {
        var kind: Kind
        var remote: ItemState?
        var versions: [KnownVersion]
        var base: BaseState?
        var installing: VersionID?
        var conflict: [VersionID]
        var heldWhenEmptied: UInt64?
        var loss: Loss?
        var hasReturned: Bool
        var residence: Residence
        /// Apart, as hardly any item has one.
        var lost: Shared<VersionID>?
    }

    package init(
        kind: Kind, remote: ItemState?, versions: [KnownVersion], base: BaseState?,
        installing: VersionID?, conflict: [VersionID] = [], heldWhenEmptied: UInt64? = nil,
        loss: Loss? = nil, hasReturned: Bool = false, residence: Residence = .ordinary,
        lost: VersionID? = nil
    ) {
        form = .full(
            Shared(
                Fields(
                    kind: kind, remote: remote, versions: versions, base: base,
                    installing: installing, conflict: conflict, heldWhenEmptied: heldWhenEmptied,
                    loss: loss, hasReturned: hasReturned, residence: residence,
                    lost: lost.map { Shared($0) })))
    }
}

extension NodeRecord: Hashable {
    package static func == (one: NodeRecord, other: NodeRecord) -> Bool {
        switch (one.form, other.form) {
        case (.full(let fields), .full(let others)): fields == others
        case (.settled(let record), .settled(let others)): record == others
        case (.full, .settled), (.settled, .full): one.fields == other.fields
        }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}

// The two forms: what is read of a record is the same in both, and what is changed is in full.
extension NodeRecord {
    /// Takes less memory from now on, if it can; nothing else of it changes.
    package mutating func settle() {
        guard case .full(let shared) = form else { return }
        let fields = shared.value
        guard fields.kind == .file, fields.versions.count == 1, fields.installing == nil,
            fields.conflict.isEmpty, fields.heldWhenEmptied == nil, fields.loss == nil,
            !fields.hasReturned, fields.residence == .ordinary, fields.lost == nil,
            let remote = fields.remote, let base = fields.base,
            let settled = SettledRecord(remote, fields.versions[0], base)
        else { return }
        form = .settled(Shared(settled))
    }

    private var fields: Fields {
        get {
            switch form {
            case .full(let fields): fields.value
            case .settled(let record): NodeRecord.fields(of: record.value)
            }
        }
        _modify {
            var shared =
                switch form {
                case .full(let fields): fields
                case .settled(let record): Shared(NodeRecord.fields(of: record.value))
                }
            // Nobody else is to hold it while it is changed: it would be copied.
            form = NodeRecord.nothing
            defer { form = .full(shared) }
            yield &shared.value
        }
    }

    private static func fields(of record: SettledRecord) -> Fields {
        Fields(
            kind: .file, remote: record.remote, versions: [record.known], base: record.base,
            installing: nil, conflict: [], heldWhenEmptied: nil, loss: nil, hasReturned: false,
            residence: .ordinary, lost: nil)
    }

    private static let nothing = Form.full(
        Shared(
            Fields(
                kind: .file, remote: nil, versions: [], base: nil, installing: nil, conflict: [],
                heldWhenEmptied: nil, loss: nil, hasReturned: false, residence: .ordinary,
                lost: nil)))
}

extension NodeRecord {
    package var kind: Kind {
        switch form {
        case .full(let fields): fields.value.kind
        case .settled: .file
        }
    }

    /// The remote tree.
    package var remote: ItemState? {
        get {
            switch form {
            case .full(let fields): fields.value.remote
            case .settled(let record): record.value.remote
            }
        }
        _modify { yield &fields.remote }
    }

    /// What is known of the remote heads and of the versions that the disk may show.
    package var versions: [KnownVersion] {
        get {
            switch form {
            case .full(let fields): fields.value.versions
            case .settled(let record): [record.value.known]
            }
        }
        _modify { yield &fields.versions }
    }

    /// The synced tree.
    package var base: BaseState? {
        get {
            switch form {
            case .full(let fields): fields.value.base
            case .settled(let record): record.value.base
            }
        }
        _modify { yield &fields.base }
    }

    /// An install that was begun: its bytes on disk are that version.
    package var installing: VersionID? {
        get {
            switch form {
            case .full(let fields): fields.value.installing
            case .settled: nil
            }
        }
        set { fields.installing = newValue }
    }

    /// The heads that were last found not to merge; empty if there are none.
    package var conflict: [VersionID] {
        get {
            switch form {
            case .full(let fields): fields.value.conflict
            case .settled: []
            }
        }
        _modify { yield &fields.conflict }
    }

    /// Of a root that was found empty: how many names it had held; until it is back, or a person
    /// has said what is meant.
    package var heldWhenEmptied: UInt64? {
        get {
            switch form {
            case .full(let fields): fields.value.heldWhenEmptied
            case .settled: nil
            }
        }
        set { fields.heldWhenEmptied = newValue }
    }

    /// What a restored server has lost of it and this device has yet to offer.
    package var loss: Loss? {
        get {
            switch form {
            case .full(let fields): fields.value.loss
            case .settled: nil
            }
        }
        _modify { yield &fields.loss }
    }

    /// It had been deleted, and the server that was restored has it again.
    package var hasReturned: Bool {
        get {
            switch form {
            case .full(let fields): fields.value.hasReturned
            case .settled: false
            }
        }
        set { fields.hasReturned = newValue }
    }

    /// Where its content is to be on this device; only a file's is ever anywhere else.
    package var residence: Residence {
        get {
            switch form {
            case .full(let fields): fields.value.residence
            case .settled: .ordinary
            }
        }
        set { fields.residence = newValue }
    }

    /// The version that its placeholder stands for, if neither the server has it any more nor this
    /// device.
    package var lost: VersionID? {
        get {
            switch form {
            case .full(let fields): fields.value.lost?.value
            case .settled: nil
            }
        }
        set { fields.lost = newValue.map { Shared($0) } }
    }

    /// The version of which this device needs no content: it is here, or not wanted here.
    var satisfied: VersionID? { residence == .evicted ? base?.version : shown }

    /// The version whose content is on this disk; nil if there is none, or a placeholder.
    package var shown: VersionID? {
        base.flatMap { $0.placeholder == nil ? $0.version : nil }
    }
}

extension NodeRecord {
    /// What stands on the disk was found to be of an install that had not been recorded, and its
    /// mode or time to be another: this disk cannot hold them, or somebody changed them meanwhile,
    /// which nobody can tell.
    var isInstalledAgain: Bool {
        kind != .folder && installing != nil && installing == base?.version
    }

    /// Whether the file is the content under its own name or a placeholder under that one's, as is
    /// wanted.
    var hasItsForm: Bool {
        guard kind == .file, let base else { return true }
        let isEvicted = residence == .evicted
        return (base.placeholder != nil) == isEvicted && base.isAside == isEvicted
    }

    /// What the server says; a conflict ends with it if no two heads have content.
    mutating func take(remote state: ItemState) {
        remote = state
        if let lost = self.lost, state.heads.contains(where: { $0.version == lost }) {
            self.lost = nil
        }
        if !conflict.isEmpty, !state.heads.areSeveral { conflict = [] }
    }

    /// Whether a tree of it, an install under way or a loss is about the version.
    func speaks(of version: VersionID) -> Bool {
        if remote?.heads.contains(where: { $0.version == version }) == true { return true }
        if let base, base.version == version || base.lastRead == version { return true }
        return installing == version || loss?.versions.contains(version) == true
    }
}
