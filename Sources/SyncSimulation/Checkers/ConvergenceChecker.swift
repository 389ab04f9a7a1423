import SyncCore

/// In the end every disk shows what the server says, and nothing else.
struct ConvergenceChecker {
    /// What stands at a path.
    struct Standing: Hashable {
        let kind: EntryKind
        let mode: UInt16
        /// Of files: a folder's and a link's time are not carried.
        let modified: FileTime?
        let bytes: [UInt8]
    }

    typealias Tree = [(path: [Name], standing: Standing)]

    let account: AccountTables

    func violations(disk: SimulatedDisk, device: Int) -> [Violation] {
        let wanted = serverTree()
        let found = tree(of: disk)
        var violations: [Violation] = []
        var index = 0
        for (path, standing) in wanted {
            while index < found.count, isBefore(found[index].path, path) {
                violations.append(broken(device, found[index].path, "is only on the disk"))
                index += 1
            }
            guard index < found.count, found[index].path == path else {
                violations.append(broken(device, path, "is only at the server"))
                continue
            }
            if found[index].standing != standing {
                let text = difference(found[index].standing, standing)
                violations.append(broken(device, path, "differs: \(text)"))
            }
            index += 1
        }
        for rest in found[index...] {
            violations.append(broken(device, rest.path, "is only on the disk"))
        }
        return violations
    }

    private func difference(_ disk: Standing, _ server: Standing) -> String {
        if disk.kind != server.kind { return "kind \(disk.kind), server \(server.kind)" }
        if disk.bytes != server.bytes {
            return "lines \(Document.tokens(in: disk.bytes)), "
                + "server \(Document.tokens(in: server.bytes))"
        }
        if disk.mode != server.mode {
            return "mode \(String(disk.mode, radix: 8)), server \(String(server.mode, radix: 8))"
        }
        return "time \(told(disk.modified)), server \(told(server.modified))"
    }

    private func told(_ time: FileTime?) -> String {
        time.map { "\($0.seconds).\($0.nanoseconds)" } ?? "none"
    }

    private func isBefore(_ one: [Name], _ other: [Name]) -> Bool {
        one.lexicographicallyPrecedes(other)
    }

    private func broken(_ device: Int, _ path: [Name], _ text: String) -> Violation {
        let path = path.map(\.text).joined(separator: "/")
        return Violation(
            promise: "all devices come to agree", text: "\(path) on device \(device) \(text)")
    }

    private func tree(of disk: SimulatedDisk) -> Tree {
        var tree: Tree = []
        for (path, inode) in disk.allPaths() where !path.contains(where: IgnoredNames.contains) {
            let file = disk[inode]
            let isFile = file.kind == .file
            tree.append(
                (
                    path,
                    Standing(
                        kind: file.kind, mode: file.kind == .link ? 0 : file.mode,
                        modified: isFile ? file.modified : nil, bytes: file.bytes)
                ))
        }
        return tree.sorted { isBefore($0.path, $1.path) }
    }

    private func serverTree() -> Tree {
        var children: [ItemID: [ItemState]] = [:]
        for item in account.items.values where item.standing == .placed {
            children[item.placement.folder, default: []].append(item)
        }
        var tree: Tree = []
        collect(.top, [], children, &tree)
        return tree.sorted { isBefore($0.path, $1.path) }
    }

    private func collect(
        _ folder: ItemID, _ path: [Name], _ children: [ItemID: [ItemState]], _ tree: inout Tree
    ) {
        for item in children[folder] ?? [] {
            guard let name = Name(item.placement.name), let standing = standing(of: item) else {
                continue
            }
            tree.append((path + [name], standing))
            if item.kind == .folder { collect(item.id, path + [name], children, &tree) }
        }
    }

    private func standing(of item: ItemState) -> Standing? {
        guard let head = item.heads.first, let version = account.versions[head.version] else {
            return nil
        }
        let facts = VersionFacts(bytes: version.facts)
        let kind: EntryKind =
            switch item.kind {
            case .file: .file
            case .link: .link
            case .folder, .package: .folder
            }
        return Standing(
            kind: kind, mode: kind == .link ? 0 : facts?.mode ?? 0,
            modified: kind == .file ? facts?.modified : nil,
            bytes: account.content(of: head.version) ?? [])
    }
}
