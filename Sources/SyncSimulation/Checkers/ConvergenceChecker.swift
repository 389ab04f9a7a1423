import SyncCore
import SyncStore

/// In the end every disk shows what the server says, and nothing else.
struct ConvergenceChecker {
    /// What stands at a path.
    struct Standing: Hashable {
        let kind: EntryKind
        let mode: UInt16
        /// Of files: a folder's and a link's time are not carried.
        let modified: FileTime?
        let bytes: [UInt8]

        var withoutFacts: Standing {
            Standing(kind: kind, mode: 0, modified: nil, bytes: bytes)
        }

        func held(by disk: SimulatedDisk) -> Standing {
            guard disk.isCoarse, kind == .file else { return self }
            return Standing(
                kind: kind, mode: disk.held(mode), modified: modified.map(disk.held), bytes: bytes)
        }
    }

    /// What the server has placed in a folder, under a name that a disk can have.
    private struct Child {
        let name: Name
        let item: ItemState
        let standing: Standing
        var isEvicted = false

        /// As it stands where it was evicted.
        var evicted: Child {
            guard let hidden = Placeholder.name(for: name), let head = item.heads.first else {
                return self
            }
            let text = Placeholder.text(
                name, head.version, size: UInt64(standing.bytes.count))
            return Child(
                name: hidden, item: item,
                standing: Standing(kind: .file, mode: 0, modified: nil, bytes: text),
                isEvicted: true)
        }
    }

    private let account: AccountTables
    /// In the order of their names.
    private let children: [ItemID: [Child]]

    init(account: AccountTables) {
        self.account = account
        var children: [ItemID: [Child]] = [:]
        for item in account.items.values where item.standing == .placed {
            guard let name = Name(item.placement.name),
                let standing = Self.standing(of: item, in: account)
            else { continue }
            children[item.placement.folder, default: []].append(
                Child(name: name, item: item, standing: standing))
        }
        self.children = children.mapValues { $0.sorted { $0.name < $1.name } }
    }

    func violations(of device: SimulatedDevice) -> [Violation] {
        let nodes = device.store.committed.replica.nodes
        var walk = Walk(
            disk: device.disk, device: device.index,
            evicted: Set(nodes.filter { $0.value.residence == .evicted }.keys))
        compare(device.disk.containers, .top, &walk)
        return walk.violations
    }

    /// A way through both trees at once, in the order of the paths.
    private struct Walk {
        let disk: SimulatedDisk
        let device: Int
        /// Items of which placeholders are to stand there.
        let evicted: Set<ItemID>
        var path: [Name] = []
        var violations: [Violation] = []

        mutating func note(_ text: String) {
            let path = path.map(\.text).joined(separator: "/")
            violations.append(
                Violation(
                    promise: "all devices come to agree",
                    text: "\(path) on device \(device) \(text)"))
        }
    }

    /// A folder of the disk and one of the server; nil where there is none.
    private func compare(_ folder: InodeNumber?, _ item: ItemID?, _ walk: inout Walk) {
        let entries = folder.map { walk.disk[$0].entries.list } ?? []
        var next = 0
        for child in children(of: item, walk.evicted) {
            while next < entries.count, entries[next].name < child.name {
                noteExtra(entries[next], &walk)
                next += 1
            }
            var found: InodeNumber?
            if next < entries.count, entries[next].name == child.name,
                !IgnoredNames.contains(child.name)
            {
                found = entries[next].inode
                next += 1
            }
            walk.path.append(child.name)
            compare(found, child, &walk)
            walk.path.removeLast()
        }
        for entry in entries[next...] { noteExtra(entry, &walk) }
    }

    private func children(of item: ItemID?, _ evicted: Set<ItemID>) -> [Child] {
        let all = item.flatMap { children[$0] } ?? []
        guard all.contains(where: { evicted.contains($0.item.id) }) else { return all }
        return all.map { evicted.contains($0.item.id) ? $0.evicted : $0 }
            .sorted { $0.name < $1.name }
    }

    private func compare(_ inode: InodeNumber?, _ child: Child, _ walk: inout Walk) {
        var folder: InodeNumber?
        if let inode {
            var found = standing(of: walk.disk[inode])
            // Whoever changes a placeholder's mode or time changes nothing of the item.
            if child.isEvicted { found = found.withoutFacts }
            let wanted = child.isEvicted ? child.standing : child.standing.held(by: walk.disk)
            if found != wanted { walk.note("differs: \(difference(found, wanted))") }
            if found.kind == .folder { folder = inode }
        } else {
            walk.note("is only at the server")
        }
        compare(folder, child.item.kind == .folder ? child.item.id : nil, &walk)
    }

    private func noteExtra(_ entry: (name: Name, inode: InodeNumber), _ walk: inout Walk) {
        guard !IgnoredNames.contains(entry.name) else { return }
        walk.path.append(entry.name)
        walk.note("is only on the disk")
        if walk.disk[entry.inode].kind == .folder { compare(entry.inode, nil, &walk) }
        walk.path.removeLast()
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

    private func standing(of file: Inode) -> Standing {
        Standing(
            kind: file.kind, mode: file.kind == .link ? 0 : file.mode,
            modified: file.kind == .file ? file.modified : nil, bytes: file.bytes)
    }

    private static func standing(
        of item: ItemState, in account: AccountTables
    ) -> Standing? {
        guard let head = item.heads.first, let version = account.versions[head.version] else {
            return nil
        }
        let facts = VersionFacts(bytes: version.facts)
        let kind: EntryKind =
            switch item.kind {
            case .file: .file
            case .link: .link
            case .folder: .folder
            case .package: .package
            }
        return Standing(
            kind: kind, mode: kind == .link ? 0 : facts?.mode ?? 0,
            modified: kind == .file ? facts?.modified : nil,
            bytes: account.content(of: head.version) ?? [])
    }
}
