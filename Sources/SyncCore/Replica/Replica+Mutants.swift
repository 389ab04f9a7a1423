/// What only a mutant does.
extension Replica {
    /// Keeps the head that was written last by its writer's clock: for the simulator, to be caught.
    mutating func settleByClock(_ state: ItemState) {
        let heads = state.heads.filter { $0.hasContent }.compactMap {
            known($0.version, of: state.id)
        }
        guard heads.count > 1, heads.count == state.heads.count,
            let newest = heads.max(by: { $0.facts.modified.isBefore($1.facts.modified) })
        else { return }
        let bytes = inHand[newest.id]
        let content = bytes.map { StoredContent.inline($0) } ?? .chunks(newest.chunks)
        guard bytes != nil || !newest.chunks.isEmpty else { return }
        settle(
            state.id, HeadContent(version: newest.id, content: content), [],
            state.heads.map { $0.version })
    }
}
