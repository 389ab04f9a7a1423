/// What a schedule came to meet.
package enum Occasion: String, Hashable, Sendable, CaseIterable {
    case events = "events"
    case entries = "log entries"
    case processCrash = "process crashes"
    case crashInJob = "crashes within an install"
    case powerLoss = "power failures"
    case serverCrash = "server crashes"
    case lostCommit = "commits lost with the server"
    case linkDown = "links down"
    case messageLost = "messages lost"
    case messageDoubled = "messages doubled"
    case messageSlow = "messages slow"
    case streamBreak = "push streams broken"
    case watcherOverflow = "watcher overflows"
    case diskFull = "disks full"
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
