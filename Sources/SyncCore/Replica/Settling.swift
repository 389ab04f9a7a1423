/// What is under way for an item whose heads may merge.
struct Settling: Sendable {
    /// The heads that are looked at, what this device has yet to send among them.
    var heads: [VersionID]
    /// When they are looked at, and when this device sends the merge of others' heads.
    ///
    /// Whoever made the newest head does both at once; everybody else lets that come first.
    var lookAt: Instant
    var sendAt: Instant
    /// When there is something to do though nothing happens.
    var wakeAt: Instant?
    /// Until when an edit waits for the merge that goes with it.
    var heldUntil: Instant?
    /// They do not merge.
    var isDecided = false
    /// A merge is found, and can be sent when all of the log is known.
    var isAwaitingLog = false
    /// Heads whose merge was refused: the log will say what they are by now.
    var refused: [VersionID] = []
    var refuted: Set<HeadPair> = []

    // What is needed to tell.
    var texts: [VersionID: [UInt8]] = [:]
    var wanted: Set<VersionID> = []
    /// What cannot be had.
    var lost: Set<VersionID> = []
    var history: [Version]?
    var isAskingHistory = false
    /// What the shell has made of merged contents that are too long to travel inline.
    var kept: [Digest: StoredContent] = [:]
    var keeping: Set<Digest> = []
    var failures = 0
    var askAgainAt: Instant?

    init(heads: [VersionID], at now: Instant) {
        self.heads = heads
        lookAt = now.advanced(milliseconds: Settling.patience)
        sendAt = now.advanced(milliseconds: Settling.courtesy)
    }

    /// How long others' heads are left to whoever made the newest.
    static var patience: Int64 { 2_000 }
    static var courtesy: Int64 { 10_000 }
    /// How long an edit waits for what its merge needs.
    static var hold: Int64 { 3_000 }
    static var mostFailures: Int { 6 }
    /// How many items are looked at for one event.
    static var mostLooks: Int { 256 }
    /// The bytes that are kept of an item whose heads do not merge, and for how many items.
    static var mostKept: Int { 262_144 }
    static var mostRemembered: Int { 64 }

    /// Other heads than before: what was found of pairs stays.
    mutating func begin(_ heads: [VersionID]) {
        self.heads = heads
        isDecided = false
        isAwaitingLog = false
    }

    /// Everything is tried again.
    mutating func forgetFailures() {
        failures = 0
        askAgainAt = nil
        heldUntil = nil
        guard !lost.isEmpty else { return }
        lost.removeAll()
        refuted.removeAll()
        isDecided = false
    }

    mutating func noteFailure(at now: Instant) {
        failures += 1
        let delay = Int64(250) << Int64(min(failures, 6))
        askAgainAt = now.advanced(milliseconds: delay)
    }
}

/// Two heads of an item.
struct HeadPair: Hashable, Sendable {
    let first: VersionID
    let second: VersionID
}
