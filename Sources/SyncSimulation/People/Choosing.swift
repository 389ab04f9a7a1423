import SyncCore
import SyncStore

/// People choose among the versions of a file, of those that they know.
extension Simulation {
    /// Keeps one of the heads of an item that has several.
    mutating func settleConflict(on index: Int, _ choice: inout RandomSource) {
        guard let inConflict = devices[index].replica?.conflicts(), !inConflict.isEmpty else {
            return
        }
        let item = choice.pick(inConflict)
        let heads = devices[index].replica?.heads(of: item) ?? []
        // A server that was restored may have lost them.
        guard heads.allSatisfy({ server.durable.content(of: $0) != nil }) else { return }
        guard !looksOnly(at: heads, of: item, on: index, &choice) else { return }
        let kept = choice.pick(heads)
        let others = heads.filter { $0 != kept }
        let aside = choice.happens(perMille: 300) ? others : []
        if aside.isEmpty {
            let untold = devices[index].replica?.untoldHeads(of: item, beside: kept) ?? []
            guard untold.isEmpty else { return show(untold, of: item, on: index) }
        }
        for head in others where !aside.contains(head) { noteChoice(against: head, on: index) }
        noteTold(server.durable.content(of: kept), on: index)
        if story.isTold { tell(index, "somebody settles the conflict of \(item.text)") }
        let keep = headContent(kept)
        report(
            .command(
                .resolve(item, keep: keep, aside: aside.map(headContent), seen: heads)), to: index)
    }

    private func headContent(_ version: VersionID) -> HeadContent {
        let content = server.durable.versions[version]?.content ?? .none
        return HeadContent(version: version, content: cipher.map(content.applying) ?? content)
    }

    /// Most people look at the list first, some go away with it, and some have an old one.
    mutating func looksOnly(
        at versions: [VersionID], of item: ItemID, on index: Int, _ choice: inout RandomSource
    ) -> Bool {
        guard choice.happens(perMille: 600) else { return false }
        show(versions, of: item, on: index)
        return choice.happens(perMille: 400)
    }

    /// A person sees these versions in a list.
    mutating func show(_ versions: [VersionID], of item: ItemID, on index: Int) {
        for version in versions { noteTold(server.durable.content(of: version), on: index) }
        report(.command(.noteTold(item, versions)), to: index)
    }

    mutating func noteTold(_ content: [UInt8]?, on index: Int) {
        if let content { devices[index].told.insert(simulatedHash(content)) }
    }

    /// A person does not want a version: all of it, if it was in a list; else what was before
    /// somebody's eyes.
    mutating func noteChoice(against version: VersionID, on index: Int) {
        let bytes = server.durable.content(of: version) ?? []
        if devices[index].told.contains(simulatedHash(bytes)) {
            ledger.note(deletionOf: bytes)
        } else {
            ledger.note(replacing: bytes, by: [], having: [], on: index)
        }
    }
}
