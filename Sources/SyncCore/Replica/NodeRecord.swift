/// An item in the three trees, as far as they are durable; the disk itself is the third.
///
/// It is large, and goes from hand to hand with every change: copies share it.
package struct NodeRecord: Hashable, Sendable {
    private var fields: Shared<Fields>

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
        fields = Shared(
            Fields(
                kind: kind, remote: remote, versions: versions, base: base, installing: installing,
                conflict: conflict, heldWhenEmptied: heldWhenEmptied, loss: loss,
                hasReturned: hasReturned, residence: residence,
                lost: lost.map { Shared($0) }))
    }
}

extension NodeRecord {
    package var kind: Kind { fields.value.kind }

    /// The remote tree.
    package var remote: ItemState? {
        get { fields.value.remote }
        _modify { yield &fields.value.remote }
    }

    /// What is known of the remote heads and of the versions that the disk may show.
    package var versions: [KnownVersion] {
        get { fields.value.versions }
        _modify { yield &fields.value.versions }
    }

    /// The synced tree.
    package var base: BaseState? {
        get { fields.value.base }
        _modify { yield &fields.value.base }
    }

    /// An install that was begun: its bytes on disk are that version.
    package var installing: VersionID? {
        get { fields.value.installing }
        set { fields.value.installing = newValue }
    }

    /// The heads that were last found not to merge; empty if there are none.
    package var conflict: [VersionID] {
        get { fields.value.conflict }
        _modify { yield &fields.value.conflict }
    }

    /// Of a root that was found empty: how many names it had held; until it is back, or a person
    /// has said what is meant.
    package var heldWhenEmptied: UInt64? {
        get { fields.value.heldWhenEmptied }
        set { fields.value.heldWhenEmptied = newValue }
    }

    /// What a restored server has lost of it and this device has yet to offer.
    package var loss: Loss? {
        get { fields.value.loss }
        _modify { yield &fields.value.loss }
    }

    /// It had been deleted, and the server that was restored has it again.
    package var hasReturned: Bool {
        get { fields.value.hasReturned }
        set { fields.value.hasReturned = newValue }
    }

    /// Where its content is to be on this device; only a file's is ever anywhere else.
    package var residence: Residence {
        get { fields.value.residence }
        set { fields.value.residence = newValue }
    }

    /// The version that its placeholder stands for, if neither the server has it any more nor this
    /// device.
    package var lost: VersionID? {
        get { fields.value.lost?.value }
        set { fields.value.lost = newValue.map { Shared($0) } }
    }

    /// The version of which this device needs no content: it is here, or not wanted here.
    var satisfied: VersionID? { residence == .evicted ? base?.version : shown }

    /// The version whose content is on this disk; nil if there is none, or a placeholder.
    package var shown: VersionID? {
        fields.value.base.flatMap { $0.placeholder == nil ? $0.version : nil }
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
        fields.value.remote = state
        if let lost = self.lost, state.heads.contains(where: { $0.version == lost }) {
            fields.value.lost = nil
        }
        if !fields.value.conflict.isEmpty, !state.heads.areSeveral { fields.value.conflict = [] }
    }

    /// Whether a tree of it, an install under way or a loss is about the version.
    func speaks(of version: VersionID) -> Bool {
        if fields.value.remote?.heads.contains(where: { $0.version == version }) == true {
            return true
        }
        if fields.value.base?.version == version || fields.value.base?.lastRead == version {
            return true
        }
        return fields.value.installing == version
            || fields.value.loss?.versions.contains(version) == true
    }
}
