/// Much work at once fills tables that are empty once it is over, and a table keeps its room.
extension Replica {
    /// Gives back the room of what is empty; nothing else changes.
    package mutating func giveRoomBack() {
        Replica.giveBack(&contents)
        Replica.giveBack(&reading)
        Replica.giveBack(&writtenSince)
        Replica.giveBack(&stirred)
        Replica.giveBack(&waiting)
        Replica.giveBack(&jobs)
        Replica.giveBack(&retries)
        Replica.giveBack(&inHand)
        Replica.giveBack(&fetching)
        Replica.giveBack(&settling)
        Replica.giveBack(&held)
        Replica.giveBack(&supplied)
        Replica.giveBack(&told)
        Replica.giveBack(&vanishing)
        Replica.giveBack(&vanished)
        Replica.giveBack(&detached)
        Replica.giveBack(&unpulled)
        Replica.giveBack(&returned)
        Replica.giveBack(&openedUnsent)
        Replica.giveBack(&writtenUnread)
        Replica.giveBack(&reclaimed)
        Replica.giveBack(&outdated)
        Replica.giveBack(&fetched)
        Replica.giveBack(&lacking)
        Replica.giveBack(&uploading)
        Replica.giveBack(&losses)
        if outbox.isEmpty { outbox = Outbox([:]) }
        if dirtyItems.isEmpty { dirtyItems = DirtyItems() }
        if openHeads.isEmpty { openHeads = DirtyItems() }
        if changedNodes.isEmpty { changedNodes = DirtyItems() }
        dirtySlots.giveRoomBack()
    }

    private static func giveBack<Key, Value>(_ table: inout [Key: Value]) {
        if table.isEmpty { table = [:] }
    }

    private static func giveBack<Element>(_ set: inout Set<Element>) {
        if set.isEmpty { set = [] }
    }
}
