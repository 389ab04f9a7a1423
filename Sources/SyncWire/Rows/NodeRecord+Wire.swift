package import SyncCore

extension NodeRecord: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, UInt64(kind.rawValue))
        writer.field(2, remote)
        writer.field(3, versions)
        writer.field(4, base)
        writer.field(5, installing)
        if !conflict.isEmpty { writer.field(6, conflict) }
        writer.field(7, heldWhenEmptied)
        writer.field(8, loss)
        writer.field(9, hasReturned)
        if residence != .ordinary { writer.field(10, UInt64(residence.rawValue)) }
        writer.field(11, lost)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var kind: Kind?
        var remote: ItemState?
        var versions: [KnownVersion] = []
        var base: BaseState?
        var installing: VersionID?
        var conflict: [VersionID] = []
        var heldWhenEmptied: UInt64?
        var loss: Loss?
        var hasReturned = false
        var residence = Residence.ordinary
        var lost: VersionID?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: kind = try field.choice()
            case 2: remote = try field.structure()
            case 3: versions.append(try field.structure())
            case 4: base = try field.structure()
            case 5: installing = try field.identifier()
            case 6: conflict = try field.identifiers()
            case 7: heldWhenEmptied = try field.unsigned()
            case 8: loss = try field.structure()
            case 9: hasReturned = try field.bool()
            case 10: residence = try field.choice()
            case 11: lost = try field.identifier()
            default: break
            }
        }
        self.init(
            kind: try reader.required(kind, 1), remote: remote, versions: versions, base: base,
            installing: installing, conflict: conflict, heldWhenEmptied: heldWhenEmptied,
            loss: loss, hasReturned: hasReturned, residence: residence, lost: lost)
    }
}

extension Loss: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, versions)
        writer.field(2, placement)
        writer.field(3, entry)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var versions: [VersionID] = []
        var placement: Placement?
        var entry: UInt64?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: versions = try field.identifiers()
            case 2: placement = try field.structure()
            case 3: entry = try field.unsigned()
            default: break
            }
        }
        self.init(
            versions: versions, placement: try reader.required(placement, 2),
            entry: try reader.required(entry, 3))
    }
}

extension KnownVersion: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, id)
        writer.field(2, parents)
        writer.field(3, facts: facts)
        if !chunks.isEmpty { writer.field(4, references: chunks) }
        writer.field(5, author)
        if let moment { writer.field(6, signed: moment.milliseconds) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var id: VersionID?
        var parents: [VersionID] = []
        var facts: VersionFacts?
        var chunks: [ChunkReference] = []
        var author: DeviceID?
        var moment: WallTime?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: id = try field.identifier()
            case 2: parents = try field.identifiers()
            case 3: facts = try field.facts()
            case 4: chunks = try field.chunkReferences()
            case 5: author = try field.identifier()
            case 6: moment = WallTime(milliseconds: try field.signed())
            default: break
            }
        }
        self.init(
            id: try reader.required(id, 1), parents: parents,
            facts: try reader.required(facts, 3), chunks: chunks, author: author, moment: moment)
    }
}

extension BaseState: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, slot)
        writer.field(2, placement)
        writer.field(3, version)
        writer.field(4, facts: facts)
        writer.field(5, stamp)
        writer.field(6, lastRead)
        writer.field(7, isParked)
        if isAside { writer.field(8, true) }
        if let placeholder { writer.field(9, placeholder) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var slot: Slot?
        var placement: PlaceID?
        var version: VersionID?
        var facts: VersionFacts?
        var stamp: FileStamp?
        var lastRead: VersionID?
        var isParked = false
        var isAside = false
        var placeholder: Digest?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: slot = try field.structure()
            case 2: placement = try field.identifier()
            case 3: version = try field.identifier()
            case 4: facts = try field.facts()
            case 5: stamp = try field.structure()
            case 6: lastRead = try field.identifier()
            case 7: isParked = try field.bool()
            case 8: isAside = try field.bool()
            case 9: placeholder = try field.digest()
            default: break
            }
        }
        self.init(
            slot: try reader.required(slot, 1), placement: try reader.required(placement, 2),
            version: try reader.required(version, 3), facts: try reader.required(facts, 4),
            stamp: try reader.required(stamp, 5), lastRead: lastRead, isParked: isParked,
            isAside: isAside, placeholder: placeholder)
    }
}
