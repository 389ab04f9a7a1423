import SyncCore
import SyncStore
import Testing

/// What must hold of an account after every request.
struct AccountInvariants {
    let image: AccountImage

    func check(_ location: SourceLocation = #_sourceLocation) {
        for violation in violations { Issue.record("\(violation)", sourceLocation: location) }
    }

    var violations: [String] {
        logViolations + headViolations + nameViolations + folderViolations + mirrorViolations
    }

    private var logViolations: [String] {
        var violations: [String] = []
        for (index, entry) in image.entries.enumerated()
        where entry.position.number != UInt64(index) + 1 {
            violations.append("entry \(index + 1) has number \(entry.position.number)")
        }
        if Set(image.entries.map(\.position.digest)).count != image.entries.count {
            violations.append("two entries have one digest")
        }
        return violations
    }

    private var headViolations: [String] {
        var violations: [String] = []
        for (id, state) in image.items {
            let alive = state.heads.filter(\.hasContent).count
            if state.heads.isEmpty { violations.append("\(id.label) has no head") }
            if alive > 0, alive < state.heads.count {
                violations.append("\(id.label) has a head without content beside one with it")
            }
            if (alive == 0) != (state.standing == .trashed) {
                violations.append("\(id.label) is \(state.standing) with \(alive) live heads")
            }
            if Set(state.heads.map(\.version)).count != state.heads.count {
                violations.append("\(id.label) has a head twice")
            }
        }
        return violations
    }

    private var placed: [ItemState] { image.items.values.filter { $0.standing == .placed } }

    private var nameViolations: [String] {
        var violations: [String] = []
        var names: [[UInt8]: ItemID] = [:]
        for state in placed {
            let slot = state.placement.folder.bytes + state.placement.tag.bytes
            if let other = names.updateValue(state.id, forKey: slot) {
                violations.append("\(state.id.label) and \(other.label) have one name")
            }
        }
        return violations
    }

    private var folderViolations: [String] {
        var violations: [String] = []
        for state in placed {
            var seen: Set<ItemID> = [state.id]
            var folder = state.placement.folder
            while folder != .top {
                guard let next = image.items[folder], next.kind == .folder,
                    next.standing != .trashed
                else {
                    violations.append("\(state.id.label) lies in \(folder.label), which is gone")
                    break
                }
                guard seen.insert(folder).inserted else {
                    violations.append("\(state.id.label) lies within itself")
                    break
                }
                folder = next.placement.folder
            }
        }
        return violations
    }

    /// A device that applied the log has the items that the server has.
    private var mirrorViolations: [String] {
        var mirror = LogMirror()
        for entry in image.entries { mirror.apply(entry) }
        return image.items.values.compactMap { state in
            mirror.items[state.id] == state
                ? nil : "a device takes \(state.id.label) for other than it is"
        }
    }
}

/// The items as a device works them out from the log.
struct LogMirror {
    private(set) var items: [ItemID: ItemState] = [:]

    mutating func apply(_ entry: LogEntry) {
        for effect in entry.effects {
            switch effect {
            case .item(let state, _): items[state.id] = state
            case .folderRemoved(let folder, let deletion, let survivors):
                _ = sweep(folder, folder, deletion, Set(survivors), entry.position.number)
            case .alias, .register: break
            }
        }
    }

    private mutating func sweep(
        _ id: ItemID, _ root: ItemID, _ deletion: VersionID, _ survivors: Set<ItemID>,
        _ number: UInt64
    ) -> Bool {
        var isAlive = survivors.contains(id)
        for child in items.values
        where child.standing == .placed && child.placement.folder == id {
            if sweep(child.id, root, deletion, survivors, number) { isAlive = true }
        }
        guard !isAlive, var state = items[id] else { return isAlive }
        let version =
            id == root
            ? deletion : FolderRemoval.deletion(of: id, by: deletion, testVault.hash)
        state.standing = .trashed
        state.heads = [Head(version: version, hasContent: false)]
        state.changed = number
        items[id] = state
        return false
    }
}
