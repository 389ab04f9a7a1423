/// What a schedule came to meet.
package enum Occasion: String, Hashable, Sendable, CaseIterable {
    case events = "events"
    case entries = "log entries"
    case processCrash = "process crashes"
    case crashAtAction = "crashes between two actions"
    case crashInJob = "crashes within an install"
    case powerLoss = "power failures"
    case serverCrash = "server crashes"
    case lostCommit = "commits lost with the server"
    case linkDown = "links down"
    case messageLost = "messages lost"
    case messageDoubled = "messages doubled"
    case messageSlow = "messages slow"
    case messageOvertaken = "messages overtaken"
    case messageCut = "messages cut in the middle"
    case contentDamaged = "contents damaged on the way"
    case streamBreak = "push streams broken"
    case watcherOverflow = "watcher overflows"
    case diskFull = "disks full"
    case saveAtInstall = "saves between check and swap"
    case clockJump = "clocks that jump"
    case serverClockJump = "server clocks that jump"
    case lateJoin = "devices that join late"
    case swapUndone = "swaps undone"
    case twoHeads = "second heads"
    case conflict = "conflicts at the end"
    case settlement = "settlements"
    case merge = "merges"
    case textMerge = "merges of texts"
    case crissCross = "merges with several ancestors"
    case refusal = "refusals"
    case alias = "names created twice"
    case removedFolder = "folders deleted"
    case staleSave = "saves of an old text"
    case undo = "old bytes saved again"
    case sameSize = "saves of the same size"
    case madeAgain = "files deleted and made again"
    case copiedFolder = "folders copied"
    case movedWhileDeleted = "moves out of or into a folder that is deleted elsewhere"
    case renamedWhileEdited = "folders renamed while edited in"
    case restored = "files restored from the trash"
    case restoredFolder = "folders restored from the trash"
    case restoredSweep = "folders restored with what went before them"
    case restoredVersion = "old versions made current"
    case collection = "daily collections"
    case collected = "contents collected"
    case removedChunk = "chunks removed"
    case rootEmptied = "roots emptied"
    case serverRestored = "servers restored from a backup"
    case deviceRestored = "devices restored from an image"
    case revoked = "devices revoked, and joined again"
    case longTextAgain = "long texts saved again after a month"
    case tidied = "documents moved into a new folder and edited at once"
    case packageSaved = "packages saved member by member"
    case stalePackageSave = "saves of a package as it was"
    case evicted = "files evicted"
    case downloaded = "files downloaded again"
    case notEvicted = "evictions refused"
    case evictionUndone = "evictions undone by the disk, or by a conflict"
    case placeholderWritten = "placeholders written to"
    case placeholderMoved = "placeholders moved or renamed"
    case placeholderRemoved = "placeholders removed"
    case savedBesidePlaceholder = "files saved where a placeholder stands"
    case otherHistory = "other histories met"
    case lost = "items of which a server had lost something"
    case blindRun = "runs with a blind server"
}

package struct Counts: Hashable, Sendable {
    private var values = [Int](repeating: 0, count: Occasion.allCases.count)

    package init() {}

    package subscript(occasion: Occasion) -> Int {
        get { values[Counts.places[occasion] ?? 0] }
        set { values[Counts.places[occasion] ?? 0] = newValue }
    }

    private static let places = Dictionary(
        uniqueKeysWithValues: Occasion.allCases.enumerated().map { ($1, $0) })
}

/// What happened, in words, if anybody wants to read it.
struct Story {
    let isTold: Bool
    private(set) var lines: [String] = []

    init(isTold: Bool) { self.isTold = isTold }

    mutating func tell(_ time: Int64, _ who: String, _ text: @autoclosure () -> String) {
        guard isTold else { return }
        let milliseconds = time / 1_000_000
        let seconds = milliseconds / 1000
        let rest = String(milliseconds % 1000)
        let padded = String(repeating: "0", count: 3 - rest.count) + rest
        lines.append("\(seconds).\(padded) \(who): \(text())")
    }
}
