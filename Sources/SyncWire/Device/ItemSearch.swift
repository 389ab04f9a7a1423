package import SyncCore

/// What a program looks for.
package struct ItemSearch: Hashable, Sendable {
    /// Where: a container or a folder.
    package var path: [UInt8]
    /// A predicate's text, which the daemon can decide: an ``ItemCondition``.
    package var condition: [UInt8]
    /// The folder of the containers as the program has it: `kMDItemPath` begins with it.
    package var containers: [UInt8]
    package var isLive: Bool

    package init(path: [UInt8], condition: [UInt8], containers: [UInt8], isLive: Bool) {
        self.path = path
        self.condition = condition
        self.containers = containers
        self.isLive = isLive
    }

    /// The most bytes of a condition.
    package static var mostBytes: Int { 1 << 18 }
}

/// What was found, or the last part of it.
package struct FoundItems: Hashable, Sendable {
    package var rows: [ItemRow]
    /// How many items were looked at.
    package var visited: UInt64

    package init(rows: [ItemRow], visited: UInt64) {
        self.rows = rows
        self.visited = visited
    }
}

/// What has changed among the items that are looked for, in one step.
package struct FoundChanges: Hashable, Sendable {
    /// The condition has become true of them.
    package var added: [ItemRow]
    /// The condition is true of them as before.
    package var changed: [ItemRow]
    /// They are still there, and the condition is no longer true of them.
    package var left: [ItemRow]
    /// They are gone.
    package var removed: [RemovedItem]

    package init(
        added: [ItemRow] = [], changed: [ItemRow] = [], left: [ItemRow] = [],
        removed: [RemovedItem] = []
    ) {
        self.added = added
        self.changed = changed
        self.left = left
        self.removed = removed
    }

    package var isEmpty: Bool {
        added.isEmpty && changed.isEmpty && left.isEmpty && removed.isEmpty
    }
}

extension FoundItems: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, rows)
        writer.field(2, visited)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(rows: [], visited: 0)
        while let field = try reader.nextField() {
            switch field.number {
            case 1: rows.append(try field.structure())
            case 2: visited = try field.unsigned()
            default: break
            }
        }
    }
}

extension FoundChanges: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, added)
        writer.field(2, changed)
        writer.field(3, left)
        writer.field(4, removed)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        self.init()
        while let field = try reader.nextField() {
            switch field.number {
            case 1: added.append(try field.structure())
            case 2: changed.append(try field.structure())
            case 3: left.append(try field.structure())
            case 4: removed.append(try field.structure())
            default: break
            }
        }
    }
}

extension ItemRow {
    /// As a query sees it; the folder of the containers is as the program that asks has it.
    package func queried(in containers: [UInt8], isHere: Bool? = nil) -> QueriedItem {
        QueriedItem(
            id: item, path: containers + [0x2F] + path, kind: kind, size: size, changed: modified,
            hasConflict: hasConflicts, isUploaded: version != nil && state != .uploading,
            isUploading: state == .uploading, isDownloading: state == .downloading, isHere: isHere)
    }
}
