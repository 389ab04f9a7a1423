/// An item's folder and name: one field beside its content.
package struct Placement: Hashable, Sendable {
    package let id: PlaceID
    /// The placing that its author saw; nil for a created item.
    package let replaces: PlaceID?
    package let folder: ItemID
    /// The keyed hash of the name, which the server compares.
    package let tag: Tag
    /// The name's bytes, opaque to the server.
    package let name: [UInt8]

    package init(id: PlaceID, replaces: PlaceID?, folder: ItemID, tag: Tag, name: [UInt8]) {
        self.id = id
        self.replaces = replaces
        self.folder = folder
        self.tag = tag
        self.name = name
    }
}
