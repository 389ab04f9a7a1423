import SyncCore
import SyncStore

/// People who want contents here, or not here, and what they do to what stands for them.
///
/// Only where no server goes back to what it was: what every device has evicted by then is lost,
/// which is tried by hand.
extension Simulation {
    private var mayEvict: Bool {
        !plan.items.contains { $0.event == .fault(.serverRestored) }
    }

    mutating func evict(on index: Int, _ choice: inout RandomSource) {
        guard mayEvict, let path = pick(.file, index, &choice),
            let replica = devices[index].replica,
            let item = replica.item(at: LocalPath(names: path))
        else { return }
        guard replica.objectionToEviction(of: item) == nil else {
            counts[.notEvicted] += 1
            return
        }
        if story.isTold { tell(index, "somebody evicts \(shown(path))") }
        report(.command(.setResidence(item, .evicted)), to: index)
    }

    mutating func download(on index: Int, _ choice: inout RandomSource) {
        guard let path = pickPlaceholder(index, &choice), let replica = devices[index].replica,
            let item = replica.item(at: LocalPath(names: path))
        else { return }
        if story.isTold { tell(index, "somebody downloads \(shown(path))") }
        report(.command(.setResidence(item, .ordinary)), to: index)
    }

    /// Whatever has such a name.
    private func pickPlaceholder(_ index: Int, _ choice: inout RandomSource) -> [Name]? {
        let all = paths(.file, on: index).filter { path in
            path.last.flatMap(Placeholder.original) != nil
        }
        return all.isEmpty ? nil : choice.pick(all)
    }

    mutating func writeToPlaceholder(on index: Int, _ choice: inout RandomSource) {
        guard let path = pickPlaceholder(index, &choice), let text = read(path, on: index) else {
            return
        }
        counts[.placeholderWritten] += 1
        startSaving(
            changed(text, &choice), to: path, having: Document.tokens(in: text),
            choice.pick(SavingWay.allCases), on: index, choice.next())
    }

    mutating func movePlaceholder(on index: Int, _ choice: inout RandomSource) {
        guard let path = pickPlaceholder(index, &choice), let old = path.last else { return }
        let names = Self.textNames.flatMap { text in
            let name = Home.name(text)
            return [name] + [Placeholder.name(for: name)].compactMap { $0 }
        }
        let staysInFolder = choice.happens(perMille: 500)
        let folder = staysInFolder ? Array(path.dropLast()) : pickFolder(index, &choice)
        guard let folder, folder.count < 6 else { return }
        counts[.placeholderMoved] += 1
        move(path, to: folder + [staysInFolder ? choice.pick(names) : old], on: index)
    }

    mutating func removePlaceholder(on index: Int, _ choice: inout RandomSource) {
        guard let path = pickPlaceholder(index, &choice) else { return }
        counts[.placeholderRemoved] += 1
        start(
            RunningProgram(path: path, work: .removeTree([path]), salt: choice.next()), on: index)
    }

    mutating func saveBesidePlaceholder(on index: Int, _ choice: inout RandomSource) {
        guard let path = pickPlaceholder(index, &choice),
            let name = path.last.flatMap(Placeholder.original)
        else { return }
        let own = Array(path.dropLast()) + [name]
        guard devices[index].disk.inode(at: own) == nil else { return }
        counts[.savedBesidePlaceholder] += 1
        let bytes = Document.line(ledger.newToken(), &choice)
        startSaving(bytes, to: own, having: [], .inPlace, on: index, choice.next())
    }

    /// What became of files, as the device has made it durable.
    mutating func countPlaceholders(_ changes: [ReplicaChange], on index: Int) {
        let before = devices[index].store.committed.replica.nodes
        for case .node(let id, let record?) in changes {
            let old = before[id]
            let was = old?.base?.placeholder != nil
            let isOne = record.base?.placeholder != nil
            if isOne, !was { counts[.evicted] += 1 }
            if was, !isOne, record.base != nil { counts[.downloaded] += 1 }
            if old?.residence == .evicted, record.residence == .ordinary, !was {
                counts[.evictionUndone] += 1
            }
        }
    }
}
