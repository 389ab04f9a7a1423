/// Ids, given once: hashes of what they name, so that the same save on two devices, and on a clone
/// of one device, has one id, and different ones never share any.
extension Replica {
    func newItemID(in slot: Slot, kind: Kind) -> ItemID {
        if slot.folder == .top { return ItemID(digest("container", slot.name.bytes)) }
        if isRoot(slot) { return ItemID(digest("documents", slot.folder.bytes)) }
        var bytes: [UInt8] = []
        bytes.append(bigEndian: progress.incarnation.value)
        bytes.append(bigEndian: progress.lastEntry)
        bytes.append(contentsOf: slot.folder.bytes)
        bytes.append(kind.rawValue)
        bytes.append(contentsOf: slot.name.bytes)
        var id = ItemID(digest("item", bytes))
        // A device that goes back to an image gives ids again, and the log can have told meanwhile
        // that one of them was taken into another item.
        while aliases[id] != nil { id = ItemID(digest("item", bytes + id.bytes)) }
        return id
    }

    /// Of the item that a head becomes when another one is kept: every device that does the same
    /// gives the same one.
    package func asideID(of head: VersionID, of item: ItemID) -> ItemID {
        ItemID(digest("aside", item.bytes + head.bytes))
    }

    func newVersionID(
        of item: ItemID, parents: [VersionID], nature: Version.Nature, facts: VersionFacts?
    ) -> VersionID {
        var bytes = item.bytes
        bytes.append(bigEndian: UInt64(parents.count))
        for parent in parents { bytes.append(contentsOf: parent.bytes) }
        bytes.append(nature.rawValue)
        if let facts {
            let isStored = mutant == .idOverStoredBytes
            bytes.append(contentsOf: isStored ? vault.seal(facts.bytes) : facts.bytes)
        }
        return VersionID(digest("version", bytes))
    }

    /// As ``newVersionID(of:parents:nature:facts:)``, and never given again, not even for the same
    /// change of the same version: a folder that came back has the version that it had.
    func singularVersionID(
        of item: ItemID, parents: [VersionID], nature: Version.Nature, facts: VersionFacts?
    ) -> VersionID {
        let id = newVersionID(of: item, parents: parents, nature: nature, facts: facts)
        var bytes = id.bytes
        bytes.append(bigEndian: progress.incarnation.value)
        bytes.append(bigEndian: progress.lastEntry)
        return VersionID(digest("singular", bytes))
    }

    func newPlacement(of item: ItemID, replacing replaced: PlaceID?, at slot: Slot) -> Placement {
        var bytes = item.bytes
        bytes.append(field: replaced?.bytes ?? [])
        bytes.append(contentsOf: slot.folder.bytes)
        bytes.append(contentsOf: slot.name.bytes)
        let folder = holder(ofGhost: slot.folder) ?? slot.folder
        return Placement(
            id: PlaceID(digest("place", bytes)), replaces: replaced, folder: folder,
            tag: vault.tag(slot.name.bytes), name: vault.seal(slot.name.bytes))
    }

    /// Of the plain names, like every id: another key of the tags changes none.
    func newWriteID(store: [UInt8], key: [UInt8], value: [UInt8]?) -> WriteID {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: progress.incarnation.value)
        bytes.append(bigEndian: progress.lastEntry)
        bytes.append(field: store)
        bytes.append(field: key)
        bytes.append(value == nil ? 0 : 1)
        bytes.append(contentsOf: value ?? [])
        return WriteID(digest("write", bytes))
    }

    /// A new life of this device; the random number keeps clones apart.
    func newIncarnation() -> Incarnation {
        var bytes = device.bytes
        bytes.append(bigEndian: entropy)
        bytes.append(bigEndian: progress.incarnation.value)
        bytes.append(bigEndian: progress.lastEntry)
        return Incarnation(digest("incarnation", bytes).words.0 | 1)
    }

    private func digest(_ subject: String, _ bytes: [UInt8]) -> Digest {
        var input: [UInt8] = []
        input.append(field: vault.identityKey)
        input.append(field: Array(subject.utf8))
        input.append(contentsOf: bytes)
        return vault.hash(input)
    }
}
