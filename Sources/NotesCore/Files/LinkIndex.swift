/// Finds the files that links name, in a folder of notes.
///
/// A link names a file by its name or by the end of its path, with or without `.md`, or a note by
/// one of its aliases. Case does not matter, but an exact match goes first, then a file in the same
/// notebook, then the one with the shortest path.
package struct LinkIndex: Sendable {
    private var files: [String: [NotePath]] = [:]
    private var aliases: [String: [NotePath]] = [:]

    package init() {}

    package mutating func insert(_ path: NotePath, aliases names: [[UInt8]] = []) {
        files[folded(path.name), default: []].append(path)
        if path.isNote { files[folded(path.stem), default: []].append(path) }
        for name in names { aliases[folded(name), default: []].append(path) }
    }

    /// Nil for a link to what is not there.
    package func file(of link: NoteLink, in note: NotePath) -> NotePath? {
        if link.target.isEmpty { return note }
        return file(named: link.wholeTarget, for: note) ?? file(named: link.target, for: note)
    }

    private func file(named target: [UInt8], for note: NotePath) -> NotePath? {
        let wanted = NotePath(target)
        let candidates = (files[folded(wanted.name)] ?? []).filter { fits($0, target) }
        let all = candidates.isEmpty ? aliases[folded(target)] ?? [] : candidates
        return all.min { one, other in
            let ranks = (rank(one, target, note), rank(other, target, note))
            return ranks.0 == ranks.1 ? one < other : ranks.0 < ranks.1
        }
    }

    private func fits(_ path: NotePath, _ target: [UInt8]) -> Bool {
        let wanted = folded(target)
        for form in [path.bytes, path.withoutEnding] {
            let form = folded(form)
            if form == wanted || form.hasSuffix("/" + wanted) { return true }
        }
        return false
    }

    private func rank(_ path: NotePath, _ target: [UInt8], _ note: NotePath) -> (Int, Int, Int) {
        let isExact = endsWith(path.bytes, target) || endsWith(path.withoutEnding, target)
        let depth = path.bytes.reduce(0) { $0 + ($1 == .slash ? 1 : 0) }
        return (isExact ? 0 : 1, path.notebook == note.notebook ? 0 : 1, depth)
    }
}

private func endsWith(_ bytes: [UInt8], _ end: [UInt8]) -> Bool {
    bytes.count >= end.count && Array(bytes.suffix(end.count)) == end
}

/// Canonically equivalent names give equal texts: links find files whose names came from elsewhere.
private func folded(_ name: [UInt8]) -> String {
    String(decoding: name, as: UTF8.self).lowercased()
}
