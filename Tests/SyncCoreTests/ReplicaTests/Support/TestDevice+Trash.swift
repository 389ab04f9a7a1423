import SyncCore

/// What a person asks the device for.
extension TestDevice {
    /// Brings an item of the trash back, as the daemon does.
    func restore(_ name: String) {
        guard
            let state = cloud.items.values.first(where: {
                $0.standing != .placed && $0.placement.name == Array(name.utf8)
            })
        else { preconditionFailure("\(name) is not in the trash") }
        guard state.standing == .trashed else { return tell(.place(state.id)) }
        tell(.restore(state, contents(before: state.heads.map(\.version))))
    }

    private func contents(before deletions: [VersionID]) -> [Version] {
        var found: [Version] = []
        var open = deletions
        while !open.isEmpty {
            guard let version = cloud.version(open.removeFirst()) else { continue }
            if version.hasContent { found.append(version) } else { open += version.parents }
        }
        return found
    }

    /// Makes an old version of a file current again.
    func restore(_ path: String, version: VersionID) {
        guard let item = item(path), let old = cloud.version(version),
            let shown = replica?.shown(of: item)?.version
        else { preconditionFailure("\(path) has no such version") }
        tell(.makeCurrent(item, old, instead: shown))
    }

    func tell(_ command: ReplicaCommand) {
        report(.command(command))
        run()
    }
}
