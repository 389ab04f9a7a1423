import SyncCore
import SyncStore
import SyncWire

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
        let versions = contents(before: state.heads.map(\.version))
        tell(.restore(state, versions, swept: sweep(of: state)))
    }

    /// What went from a folder one by one before it.
    private func sweep(of folder: ItemState) -> [VersionID] {
        guard let replica, let deletion = stored(folder.heads.first?.version),
            let facts = replica.facts(ofFolderDeletion: deletion.version),
            let first = stored(facts.sweptFrom)
        else { return [] }
        let trash = cloud.items.values.filter {
            $0.standing == .trashed && stored($0.heads.first?.version)?.author == deletion.author
        }
        return replica.sweep(of: folder, from: first.number, among: trash)
    }

    private func stored(_ version: VersionID?) -> VersionMessage? {
        version.flatMap { try? cloud.store.storedVersion($0) }
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

    /// Makes an old version of a file current again, if what it replaces is known here.
    @discardableResult
    func restore(_ path: String, version: VersionID) -> Bool {
        guard let item = item(path), let old = cloud.version(version),
            let standing = replica?.standing(of: item)
        else { preconditionFailure("\(path) has no such version") }
        guard replica?.isKnownHere(standing, of: item) == true else { return false }
        tell(.makeCurrent(item, old, instead: standing))
        return true
    }

    func tell(_ command: ReplicaCommand) {
        report(.command(command))
        run()
    }
}
