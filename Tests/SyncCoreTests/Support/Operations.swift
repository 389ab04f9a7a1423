import SyncCore
import SyncStore

let testVault = Vault.plain(identityKey: Array("test".utf8))

extension Operation.Body {
    /// A created item; its first placing has the item's word for a name.
    static func create(
        _ item: ItemID, _ kind: Kind = .file, at name: String, in folder: ItemID = .top,
        version: VersionID, from parents: [VersionID] = [], content: StoredContent = .none
    ) -> Self {
        .create(
            item: item, kind: kind,
            placement: .at(
                name, in: folder, as: item.named(as: PlaceSubject.self), replacing: nil),
            version: Version(
                id: version, parents: parents, nature: .edit, facts: [], content: content))
    }

    static func edit(
        _ item: ItemID, _ version: VersionID, from parents: [VersionID],
        content: StoredContent = .none
    ) -> Self {
        .edit(item: item, version: .init(version, parents, .edit, content))
    }

    static func settle(_ item: ItemID, _ version: VersionID, from parents: [VersionID]) -> Self {
        .edit(item: item, version: .init(version, parents, .settlement, .none))
    }

    static func delete(_ item: ItemID, _ version: VersionID, from parents: [VersionID]) -> Self {
        .edit(item: item, version: .init(version, parents, .deletion, .none))
    }

    /// A move; what it replaces is the item's first placing unless it is said.
    static func move(
        _ item: ItemID, to name: String, in folder: ItemID = .top, as place: PlaceID,
        replacing replaced: PlaceID? = nil
    ) -> Self {
        .move(
            item: item,
            placement: .at(
                name, in: folder, as: place,
                replacing: replaced ?? item.named(as: PlaceSubject.self)))
    }

    static func removeFolder(
        _ folder: ItemID, _ version: VersionID, from parents: [VersionID], installed: UInt64,
        beyond: [VersionID] = []
    ) -> Self {
        .removeFolder(
            FolderRemoval(
                folder: folder, version: .init(version, parents, .deletion, .none),
                installed: installed, beyond: beyond))
    }

    static func restoreFolder(
        _ folder: ItemID, _ version: VersionID, undoing deletion: VersionID,
        and swept: [VersionID] = []
    ) -> Self {
        .restoreFolder(
            FolderRestoration(
                folder: folder, deletion: deletion,
                version: .init(version, [deletion], .edit, .none), swept: swept))
    }

    static func set(
        _ key: String, _ value: String?, as write: WriteID, replacing replaced: WriteID? = nil,
        beforeFirstPull: Bool = false
    ) -> Self {
        .write(
            KeyValueWrite(
                id: write, register: .named(key), name: Array(key.utf8),
                value: value.map { Array($0.utf8) }, replaces: replaced,
                beforeFirstPull: beforeFirstPull))
    }
}

extension RegisterKey {
    static func named(_ key: String) -> RegisterKey {
        RegisterKey(store: "store", key: testVault.tag(Array(key.utf8)))
    }
}

extension Version {
    fileprivate init(
        _ id: VersionID, _ parents: [VersionID], _ nature: Nature, _ content: StoredContent
    ) {
        self.init(id: id, parents: parents, nature: nature, facts: [], content: content)
    }
}

extension Placement {
    fileprivate static func at(
        _ name: String, in folder: ItemID, as id: PlaceID, replacing replaced: PlaceID?
    ) -> Placement {
        let bytes = Array(name.utf8)
        return Placement(
            id: id, replaces: replaced, folder: folder, tag: testVault.tag(bytes), name: bytes)
    }
}
