internal import SyncCore
internal import SyncWire

/// An entry's effects as its row holds them: versions and writes are named, not repeated.
///
/// Each of these has a row of its own, with its content, once and for ever; an entry is joined with
/// them when it is read. So content is written once, and an entry can be sent without it.
struct StoredEffects: Hashable {
    private(set) var effects: [Stored]

    enum Stored: Hashable {
        /// The effect without the version that it introduces, and that version's id.
        case introduction(Effect, VersionID)
        /// The register's state is what this write made it.
        case write(WriteID)
        /// All other effects, as they are.
        case whole(Effect)
    }

    init(_ effects: [Effect]) {
        self.effects = effects.map { effect in
            switch effect {
            case .item(let state, let version?):
                .introduction(.item(state, introducing: nil), version.id)
            case .register(let state): .write(state.write)
            case .item, .alias, .folderRemoved: .whole(effect)
            }
        }
    }
}

extension StoredEffects: WireStructure {
    func write(to writer: inout ByteWriter) {
        for effect in effects {
            switch effect {
            case .whole(let effect): writer.field(1, effect)
            case .introduction(let effect, let version):
                writer.field(1, effect)
                writer.field(2, version)
            case .write(let write): writer.field(3, write)
            }
        }
    }

    init(from reader: inout ByteReader) throws(WireError) {
        effects = []
        while let field = try reader.nextField() {
            switch field.number {
            case 1: effects.append(.whole(try field.structure()))
            case 2:
                guard case .whole(let effect)? = effects.popLast() else { throw field.unknownCase }
                effects.append(.introduction(effect, try field.identifier()))
            case 3: effects.append(.write(try field.identifier()))
            default: throw field.unknownCase
            }
        }
    }
}
