/// What keeps a replica from rest, for whoever waits for it and asks why.
package enum Unrest: Hashable, Sendable {
    /// A name is to be looked at, or its file to be read.
    case looking(Slot)
    /// A folder's names are to be listed.
    case listing(ItemID)
    /// Something is being put onto the disk, or taken from it.
    case installing(ItemID)
    /// A content is on its way.
    case fetching(ItemID)
    /// An operation is not in the log.
    case sending(entry: UInt64)
    /// Versions that nobody has seen together are being looked at.
    case settling(ItemID)
    /// What a restored server has lost is being offered.
    case offering(ItemID)
}

extension Replica {
    /// Everything that has to end before ``isQuiet`` is true, in no order.
    package var unrest: [Unrest] {
        var unrest = Set<Unrest>()
        for slot in dirtySlots.since.keys { unrest.insert(.looking(slot)) }
        for slot in reading.keys { unrest.insert(.looking(slot)) }
        for slot in unpulled { unrest.insert(.looking(slot)) }
        for id in detached {
            if let slot = base(id)?.slot { unrest.insert(.looking(slot)) }
        }
        for id in disk.listing { unrest.insert(.listing(id)) }
        for job in jobs.values { unrest.insert(.installing(job.item)) }
        for ids in fetching.values {
            for id in ids { unrest.insert(.fetching(id)) }
        }
        for (id, _) in outbox.all { unrest.insert(.sending(entry: id)) }
        for (id, settling) in settling where !settling.isDecided { unrest.insert(.settling(id)) }
        for id in losses { unrest.insert(.offering(id)) }
        return Array(unrest)
    }
}
