/// Merges two packages that were both made from a third, member by member.
///
/// Where it cannot, there is no merge: both packages stay whole, and never a mixture of them.
package struct PackageMerge {
    let rule: MergeRule
    /// The type is listed as one whose members merge.
    let mergesMembers: Bool
    /// Nil where nothing is known that both were made from.
    let base: PackageContent?
    let first: PackageContent
    let second: PackageContent

    package init(
        rule: MergeRule, mergesMembers: Bool, base: PackageContent?, first: PackageContent,
        second: PackageContent
    ) {
        self.rule = rule
        self.mergesMembers = mergesMembers
        self.base = base
        self.first = first
        self.second = second
    }

    /// One side's member.
    private struct Part {
        var member: PackageMember
        var bytes: [UInt8]

        func isSame(as other: Part) -> Bool {
            member.kind == other.member.kind && bytes == other.bytes
        }
    }

    private enum Outcome {
        case part(Part)
        case nothing
        case conflict
    }

    /// Nil if they are in conflict.
    package func merged() -> PackageContent? {
        if first.isSame(as: second) { return first }
        guard let base else { return nil }
        // Who changed modes and times only has not changed the document.
        if first.isSame(as: base) { return second }
        if second.isSame(as: base) { return first }
        guard mergesMembers else { return nil }
        return byMembers(from: base)
    }

    private func byMembers(from base: PackageContent) -> PackageContent? {
        let (old, one, two) = (parts(of: base), parts(of: first), parts(of: second))
        var result: [[UInt8]: Part] = [:]
        for path in Set(old.keys).union(one.keys).union(two.keys) {
            switch merge(old[path], one[path], two[path]) {
            case .part(let part): result[path] = part
            case .nothing: break
            case .conflict: return nil
            }
        }
        addFolders(to: &result, from: [one, two])
        let paths = result.keys.sorted { isPath($0, before: $1) }
        var members: [PackageMember] = []
        var contents: [[UInt8]] = []
        for path in paths {
            guard let part = result[path] else { continue }
            members.append(part.member)
            contents.append(part.bytes)
        }
        return PackageList(members).flatMap { PackageContent($0, contents: contents) }
    }

    private func parts(of content: PackageContent) -> [[UInt8]: Part] {
        var parts: [[UInt8]: Part] = [:]
        parts.reserveCapacity(content.contents.count)
        for (index, member) in content.list.members.enumerated() {
            parts[member.path] = Part(member: member, bytes: content.contents[index])
        }
        return parts
    }

    /// A folder that one side removed and the other put something into is needed.
    private func addFolders(to result: inout [[UInt8]: Part], from sides: [[[UInt8]: Part]]) {
        for part in Array(result.values) {
            var folder = part.member.folder
            while let path = folder {
                let standing = sides.compactMap { $0[path] }.first { $0.member.kind == .folder }
                if result[path] == nil, let standing { result[path] = standing }
                folder = standing?.member.folder
            }
        }
    }

    private func merge(_ old: Part?, _ one: Part?, _ two: Part?) -> Outcome {
        guard let one, let two else {
            guard let left = one ?? two else { return .nothing }
            guard let old else { return .part(left) }
            // Removed on one side: gone if the other left it as it was.
            return left.isSame(as: old) ? .nothing : .conflict
        }
        var part = one
        if !one.isSame(as: two) {
            guard let old else { return .conflict }
            if one.isSame(as: old) {
                part = two
            } else if !two.isSame(as: old) {
                guard let bytes = text(old, one, two) else { return .conflict }
                part = Part(member: one.member.sized(bytes.count), bytes: bytes)
            }
        }
        part.member.mode = one.member.mode
        part.member.modified = one.member.modified
        if let old {
            // As for a file: a side that is as it was yields, else the first one's stands.
            if one.member.mode == old.member.mode { part.member.mode = two.member.mode }
            if one.member.modified == old.member.modified {
                part.member.modified = two.member.modified
            }
        }
        return .part(part)
    }

    private func text(_ old: Part, _ one: Part, _ two: Part) -> [UInt8]? {
        let sides = [old, one, two]
        guard
            sides.allSatisfy({
                $0.member.kind == .file && $0.member.size <= rule.sizeLimit && rule.isText($0.bytes)
            })
        else { return nil }
        return rule.merge(old.bytes, one.bytes, two.bytes)
    }
}

extension PackageMember {
    fileprivate func sized(_ count: Int) -> PackageMember {
        PackageMember(path: path, kind: kind, mode: mode, modified: modified, size: UInt64(count))
    }
}
