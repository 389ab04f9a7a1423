/// An account as it is at one position: for a device that the log alone cannot bring there.
package struct AccountSnapshot: Hashable, Sendable {
    package let position: Position
    /// The newest of the positions that the device named that the log has; the start if none.
    package let common: Position
    /// All items but those that have been in the trash for long, in the order of their ids.
    package let items: [ItemState]
    package let aliases: [ItemAlias]
    package let registers: [RegisterState]

    package init(
        position: Position, common: Position, items: [ItemState], aliases: [ItemAlias],
        registers: [RegisterState]
    ) {
        self.position = position
        self.common = common
        self.items = items
        self.aliases = aliases
        self.registers = registers
    }

    /// Whether it can be an account's at all; what cannot is as good as no answer.
    var isSound: Bool {
        common.number <= position.number && position.number < Ancestry.ofNoEntry
    }
}

/// A created item that was taken into the holder of its name.
package struct ItemAlias: Hashable, Sendable {
    package let item: ItemID
    package let holder: ItemID

    package init(item: ItemID, holder: ItemID) {
        self.item = item
        self.holder = holder
    }
}

/// What a version was made from, or which place another replaced: kept by a device for the day on
/// which the server has lost both.
package struct Ancestry: Hashable, Sendable {
    /// A version, or a place, whose ids are never the same.
    package let child: VersionID
    package let parents: [VersionID]
    /// The entry that brought it.
    package let number: UInt64

    package init(child: VersionID, parents: [VersionID], number: UInt64) {
        self.child = child
        self.parents = parents
        self.number = number
    }

    /// After every entry: in no log that is known.
    package static var ofNoEntry: UInt64 { UInt64(Int64.max) }

    package var ofNoEntry: Ancestry {
        Ancestry(child: child, parents: parents, number: Ancestry.ofNoEntry)
    }

    package init?(of placement: Placement, number: UInt64) {
        guard let replaced = placement.replaces else { return nil }
        self.init(
            child: VersionID(placement.id), parents: [VersionID(replaced)], number: number)
    }
}

extension VersionID {
    /// A place among the ancestors.
    init(_ place: PlaceID) { self.init(high: place.high, low: place.low) }
}
