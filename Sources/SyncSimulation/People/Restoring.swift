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
        for version in versions { noteTold(server.durable.content(of: version.id), on: index) }
        let swept = sweep(of: state, on: index)
        if !swept.isEmpty { counts[.restoredSweep] += 1 }
        report(.command(.restore(state, versions, swept: swept)), to: index)
    }

    /// What went from a folder one by one before it, as the daemon finds it.
    private func sweep(of folder: ItemState, on index: Int) -> [VersionID] {
        guard folder.kind == .folder, let replica = devices[index].replica,
            let deletion = folder.heads.first?.version,
            let version = server.durable.versions[deletion],
            let facts = replica.facts(ofFolderDeletion: version),
            let first = server.durable.version(facts.sweptFrom)?.number
        else { return [] }
        let author = author(of: folder)
        let trash = server.durable.trash.filter { self.author(of: $0) == author }
        return replica.sweep(of: folder, from: first, among: trash)
    }

    /// Who changed an item last.
    private func author(of state: ItemState) -> DeviceID? {
        server.durable.log.last { $0.position.number == state.changed }?.author
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
        guard let standing = devices[index].replica?.standing(of: item) else { return }
        let all = server.durable.versions(of: item)
        let old = all.filter { $0.hasContent && $0.id != standing }
        guard !old.isEmpty else { return }
        guard !looksOnly(at: all.map(\.id), of: item, on: index, &choice) else { return }
        let version = choice.pick(old)
        guard let kept = server.durable.kept(version.id) else { return }
        guard devices[index].replica?.isKnownHere(standing, of: item) == true else {
            return show([standing], of: item, on: index)
        }
        counts[.restoredVersion] += 1
        // Of what stands there, what was before somebody's eyes is not wanted.
        let bytes = devices[index].disk[inode].bytes
        ledger.note(replacing: bytes, by: [], having: [], on: index)
        noteChoice(against: standing, on: index)
        noteTold(server.durable.content(of: version.id), on: index)
        if story.isTold {
            tell(
                index, "somebody makes \(version.id.text.prefix(4)) of \(self.shown(path)) current")
        }
        let plain = cipher.map { kept.applying($0) } ?? kept
        report(.command(.makeCurrent(item, plain, instead: standing)), to: index)
    }
}
