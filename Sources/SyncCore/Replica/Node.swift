/// An item in memory: what is durable of it, and what is under way.
struct Node: Sendable {
    var record: NodeRecord
    /// Apart, as hardly any item has something under way.
    private var stored: Shared<Work>?

    private struct Work: Sendable {
        var job: JobID?
        var pending = 0
        var lastEdit: Instant?
        var problem: Problem?
        var owesText = false

        var isNothing: Bool {
            job == nil && pending == 0 && lastEdit == nil && problem == nil && !owesText
        }
    }

    init(record: NodeRecord) { self.record = record }

    private var work: Work {
        get { stored?.value ?? Work() }
        set { stored = newValue.isNothing ? nil : Shared(newValue) }
    }

    var job: JobID? {
        get { stored?.value.job }
        set { work.job = newValue }
    }

    /// Operations on it that are not in the remote tree yet.
    var pending: Int {
        get { stored?.value.pending ?? 0 }
        set { work.pending = newValue }
    }

    var lastEdit: Instant? {
        get { stored?.value.lastEdit }
        set { work.lastEdit = newValue }
    }

    var problem: Problem? {
        get { stored?.value.problem }
        set { if stored != nil || newValue != nil { work.problem = newValue } }
    }

    /// A content that it needs, or needed, could not be had, or came damaged.
    var lacksContent: Bool { problem == .contentUnavailable || problem == .contentDamaged }

    /// What its placeholder says may be of a former name or version.
    var owesText: Bool {
        get { stored?.value.owesText ?? false }
        set { if stored != nil || newValue { work.owesText = newValue } }
    }

    /// The remote and base trees differ.
    var needsPlan: Bool {
        guard let remote = record.remote else { return false }
        guard let base = record.base else { return remote.standing == .placed }
        return remote.standing != .placed || base.version != remote.heads.first?.version
            || base.placement != remote.placement.id || record.isInstalledAgain
            || !record.hasItsForm || owesText && base.placeholder != nil
    }
}
