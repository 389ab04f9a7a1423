/// Looks for a merge of two heads of an item: content, mode and time, each on its own.
///
/// A side that is equal to the ancestor yields; where both changed mode or time, the first's
/// stands. Only content can be in conflict.
struct HeadMerge {
    let kind: Kind
    /// Of a package whose type is listed for that.
    let mergesMembers: Bool
    let rule: MergeRule
    let hash: HashFunction
    let mutant: Mutant?
    let lineage: Lineage
    /// What is known of versions with content.
    let facts: [VersionID: VersionFacts]
    /// Contents that are at hand.
    let texts: [VersionID: [UInt8]]
    /// Versions whose content cannot be had: they merge with nothing.
    let lost: Set<VersionID>
    /// Versions that can be named again without their content.
    let storedInChunks: Set<VersionID>

    enum Finding {
        case merged(Side)
        case conflict
        /// Not enough is known to tell.
        case needs(Need)
    }

    enum Need {
        case history
        case contents([VersionID])
    }

    /// A content with its mode and time: a version's, or what a merge has made.
    struct Side {
        var facts: VersionFacts
        var source: Source
        /// The versions that it stands for in the lineage.
        var roots: [VersionID]
    }

    enum Source {
        case version(VersionID)
        case merged([UInt8])
    }

    func merge(_ first: VersionID, _ second: VersionID) -> Finding {
        guard let one = side(first) else { return unknown(first) }
        guard let other = side(second) else { return unknown(second) }
        if one.facts == other.facts { return .merged(equal(one, other)) }
        return merge(one, other, depth: 0)
    }

    private func side(_ version: VersionID) -> Side? {
        facts[version].map { Side(facts: $0, source: .version(version), roots: [version]) }
    }

    private func merge(_ first: Side, _ second: Side, depth: Int) -> Finding {
        guard let common = nearestCommon(first, second) else { return .needs(.history) }
        let base: Side?
        switch self.base(of: common, depth: depth) {
        case .merged(let side): base = side
        case .conflict: base = nil
        case .needs(let need): return .needs(need)
        }
        return merge(first, second, from: base)
    }

    private func nearestCommon(_ first: Side, _ second: Side) -> [VersionID]? {
        if mutant == .wrongAncestor, let head = first.roots.first {
            return lineage.parents(of: head).map { Array($0.prefix(1)) }
        }
        return lineage.nearestCommon(first.roots, second.roots)
    }

    // MARK: The ancestor

    private static var mostNested: Int { 8 }

    /// The ancestor to merge from; several are merged themselves, and if they do not there is
    /// none.
    private func base(of common: [VersionID], depth: Int) -> Finding {
        guard depth < HeadMerge.mostNested, let first = common.first else { return .conflict }
        guard var merged = ancestor(first) else { return unknown(first) }
        for next in common.dropFirst() {
            guard let other = ancestor(next) else { return unknown(next) }
            switch merge(merged, other, depth: depth + 1) {
            case .merged(var side):
                side.roots = merged.roots + [next]
                merged = side
            case .conflict: return .conflict
            case .needs(let need): return .needs(need)
            }
        }
        return .merged(merged)
    }

    private func ancestor(_ version: VersionID) -> Side? { side(version) }

    /// A version without facts is a deletion, or was never in the account; or it is not known yet.
    private func unknown(_ version: VersionID) -> Finding {
        lineage.isWhole ? .conflict : .needs(.history)
    }

    // MARK: Three ways

    private func merge(_ first: Side, _ second: Side, from base: Side?) -> Finding {
        switch content(first, second, from: base) {
        case .merged(var side):
            side.facts.mode = first.facts.mode
            // A package's time is its members', and is in its content.
            let hasTime = kind != .package
            if hasTime { side.facts.modified = first.facts.modified }
            if let base {
                if first.facts.mode == base.facts.mode { side.facts.mode = second.facts.mode }
                if hasTime, first.facts.modified == base.facts.modified {
                    side.facts.modified = second.facts.modified
                }
            }
            return .merged(side)
        case let other: return other
        }
    }

    private func content(_ first: Side, _ second: Side, from base: Side?) -> Finding {
        if first.hasContent(of: second) { return .merged(equal(first, second)) }
        if let base {
            if first.hasContent(of: base) { return .merged(second) }
            if second.hasContent(of: base) { return .merged(first) }
        }
        if kind == .package { return byMembers(first, second, from: base) }
        guard let base else { return .conflict }
        return text(first, second, from: base)
    }

    /// Packages that differ may still be the same but for modes and times, whatever their type.
    private func byMembers(_ first: Side, _ second: Side, from base: Side?) -> Finding {
        let sides = [first, second] + (base.map { [$0] } ?? [])
        guard sides.allSatisfy({ $0.facts.size <= rule.packageLimit }) else { return .conflict }
        let wanted = sides.filter { bytes(of: $0) == nil }.compactMap { $0.version }
        if wanted.contains(where: { lost.contains($0) }) { return .conflict }
        guard wanted.isEmpty else { return .needs(.contents(wanted)) }
        let contents = sides.map { bytes(of: $0).flatMap { PackageContent(bytes: $0) } }
        guard let one = contents[0], let other = contents[1] else { return .conflict }
        let old = base == nil ? nil : contents[2]
        let merge = PackageMerge(
            rule: rule, mergesMembers: mergesMembers, base: old, first: one, second: other)
        guard let merged = merge.merged() else { return .conflict }
        if merged == one { return .merged(first) }
        if merged == other { return .merged(second) }
        var side = made(merged.bytes, first)
        side.facts.modified = merged.list.newest
        return .merged(side)
    }

    private func text(_ first: Side, _ second: Side, from base: Side) -> Finding {
        let sides = [base, first, second]
        guard kind == .file, sides.allSatisfy({ $0.facts.size <= rule.sizeLimit }) else {
            return .conflict
        }
        let contents = sides.map { bytes(of: $0) }
        // One that is no text tells enough: the others need not be brought here.
        for case let bytes? in contents where !rule.isText(bytes) { return .conflict }
        let wanted = zip(sides, contents).compactMap { side, bytes in
            bytes == nil ? side.version : nil
        }
        if wanted.contains(where: { lost.contains($0) }) { return .conflict }
        guard wanted.isEmpty, let old = contents[0], let one = contents[1], let other = contents[2]
        else { return .needs(.contents(wanted)) }
        guard let merged = rule.merge(old, one, other) else { return .conflict }
        return .merged(made(merged, first))
    }

    private func bytes(of side: Side) -> [UInt8]? {
        switch side.source {
        case .version(let version): texts[version]
        case .merged(let bytes): bytes
        }
    }

    private func made(_ bytes: [UInt8], _ first: Side) -> Side {
        var facts = first.facts
        facts.digest = hash(bytes)
        facts.size = UInt64(bytes.count)
        return Side(facts: facts, source: .merged(bytes), roots: first.roots)
    }

    /// Of two equal contents the one that can be sent without bringing it here first.
    private func equal(_ first: Side, _ second: Side) -> Side {
        if isAtHand(first) || !isAtHand(second) { return first }
        var side = first
        side.source = second.source
        return side
    }

    private func isAtHand(_ side: Side) -> Bool {
        guard let version = side.version else { return true }
        return texts[version] != nil || storedInChunks.contains(version)
    }
}

extension HeadMerge.Side {
    fileprivate func hasContent(of other: HeadMerge.Side) -> Bool {
        facts.digest == other.facts.digest && facts.size == other.facts.size
    }

    var version: VersionID? {
        if case .version(let version) = source { version } else { nil }
    }
}
