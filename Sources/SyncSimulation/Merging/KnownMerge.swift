/// Two edits of a text whose merge follows from how they were made.
///
/// Each line is there once, and an unchanged line stands between any two places that were edited:
/// so nobody needs to compare texts to know what became of them.
package struct KnownMerge: Sendable {
    package private(set) var base: [UInt8] = []
    package private(set) var first: [UInt8] = []
    package private(set) var second: [UInt8] = []
    /// What it merges to, if there is no conflict.
    package private(set) var merged: [UInt8] = []
    /// At how many places the sides made something different.
    package private(set) var conflicts = 0

    private var lines = 0

    package init(using random: inout some RandomNumberGenerator) {
        for _ in 0..<Int.random(in: 0...10, using: &random) {
            keepLine()
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3: edit(by: [.first], using: &random)
            case 4...7: edit(by: [.second], using: &random)
            case 8, 9: edit(by: [.first, .second], using: &random)
            case 10 where Bool.random(using: &random): quarrel(using: &random)
            default: break
            }
        }
        keepLine()
    }

    /// A third edit of a text that was made so: some lines of it are gone, and new ones are there.
    package static func other(
        of base: [UInt8], using random: inout some RandomNumberGenerator
    ) -> [UInt8] {
        var text: [UInt8] = []
        for line in base.split(separator: 0x0A) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: continue
            case 1: text += line + Array(" of the third\nand one\n".utf8)
            default: text += line + [0x0A]
            }
        }
        return text
    }

    private enum Side { case first, second }

    private mutating func newLine() -> [UInt8] {
        lines += 1
        return Array("line \(lines)\n".utf8)
    }

    private mutating func keepLine() {
        let line = newLine()
        base += line
        first += line
        second += line
        merged += line
    }

    /// Some lines, perhaps none, are replaced by others: by one side, or by both alike.
    private mutating func edit(by sides: [Side], using random: inout some RandomNumberGenerator) {
        let (old, new) = replacement(using: &random)
        base += old
        merged += new
        first += sides.contains(.first) ? new : old
        second += sides.contains(.second) ? new : old
    }

    /// Both sides put something there, each something else.
    private mutating func quarrel(using random: inout some RandomNumberGenerator) {
        let (old, new) = replacement(using: &random)
        base += old
        first += new + newLine()
        second += new + newLine()
        conflicts += 1
    }

    private mutating func replacement(
        using random: inout some RandomNumberGenerator
    ) -> (old: [UInt8], new: [UInt8]) {
        let removed = Int.random(in: 0...2, using: &random)
        let added = Int.random(in: (removed == 0 ? 1 : 0)...2, using: &random)
        let old = (0..<removed).flatMap { _ in newLine() }
        return (old, (0..<added).flatMap { _ in newLine() })
    }
}
