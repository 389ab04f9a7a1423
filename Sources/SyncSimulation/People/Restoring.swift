import SyncCore
import SyncStore

/// People bring back what was deleted, and old versions.
extension Simulation {
    /// A program must run, and the server answer it.
    private func canAskServer(on index: Int) -> Bool {
        devices[index].replica != nil && devices[index].isConnected && devices[index].isLinkUp
            && server.isRunning && devices[index].away == nil
    }

    mutating func restoreFromTrash(on index: Int, _ choice: inout RandomSource) {
        guard canAskServer(on: index) else { return }
        let trash = server.durable.trash
        let folders = trash.filter { $0.kind == .folder }
        guard !trash.isEmpty else { return }
        let wantsFolder = !folders.isEmpty && choice.happens(perMille: 500)
        let state = choice.pick(wantsFolder ? folders : trash)
        let versions = contents(before: state.heads.map(\.version))
        guard !versions.isEmpty else { return }
        counts[state.kind == .folder ? .restoredFolder : .restored] += 1
        if story.isTold { tell(index, "somebody restores \(state.id.text) from the trash") }
        report(.command(.restore(state, versions)), to: index)
    }

    /// What deletions were made from, with its contents, as the server gives it.
    private func contents(before deletions: [VersionID]) -> [Version] {
        var found: [Version] = []
        var open = deletions
        while !open.isEmpty {
            guard let version = server.durable.kept(open.removeFirst()) else { continue }
            if version.hasContent {
                found.append(cipher.map { version.applying($0) } ?? version)
            } else {
                open += version.parents
            }
        }
        return found
    }

    mutating func restoreVersion(on index: Int, _ choice: inout RandomSource) {
        guard canAskServer(on: index) else { return }
        let files = paths(.file, on: index)
        guard !files.isEmpty else { return }
        let path = choice.pick(files)
        guard let item = devices[index].replica?.item(at: LocalPath(names: path)),
            let inode = devices[index].disk.inode(at: path)
        else { return }
        guard let shown = devices[index].replica?.shown(of: item)?.version else { return }
        let old = server.durable.versions(of: item).filter { $0.hasContent && $0.id != shown }
        guard !old.isEmpty else { return }
        let version = choice.pick(old)
        guard let kept = server.durable.kept(version.id) else { return }
        counts[.restoredVersion] += 1
        // The person knows what stands there and does not want it.
        ledger.note(deletionOf: devices[index].disk[inode].bytes)
        ledger.note(deletionOf: server.durable.content(of: shown) ?? [])
        if story.isTold {
            tell(
                index, "somebody makes \(version.id.text.prefix(4)) of \(self.shown(path)) current")
        }
        let plain = cipher.map { kept.applying($0) } ?? kept
        report(.command(.makeCurrent(item, plain, instead: shown)), to: index)
    }
}
