package import SyncCore

/// One version with its content, or the references to it.
package struct VersionMessage: Hashable, Sendable {
    package let version: Version
    package let item: ItemID
    /// The log entry that brought it.
    package let number: UInt64
    package let author: DeviceID
    /// The server's wall clock when it was accepted: for people.
    package let moment: WallTime
    /// Its content is not kept any more.
    package let isCollected: Bool

    package init(
        version: Version, item: ItemID, number: UInt64, author: DeviceID, moment: WallTime,
        isCollected: Bool = false
    ) {
        self.version = version
        self.item = item
        self.number = number
        self.author = author
        self.moment = moment
        self.isCollected = isCollected
    }
}

/// All versions of an item, oldest first; inline content is left out.
package struct VersionList: Hashable, Sendable {
    package let versions: [VersionMessage]

    package init(_ versions: [VersionMessage]) { self.versions = versions }
}

extension VersionMessage: WireMessage {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, version)
        writer.field(2, item)
        writer.field(3, number)
        writer.field(4, author)
        writer.field(5, signed: moment.milliseconds)
        if isCollected { writer.field(6, true) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var version: Version?
        var item: ItemID?
        var number: UInt64?
        var author: DeviceID?
        var moment: Int64?
        var isCollected = false
        while let field = try reader.nextField() {
            switch field.number {
            case 1: version = try field.structure()
            case 2: item = try field.identifier()
            case 3: number = try field.unsigned()
            case 4: author = try field.identifier()
            case 5: moment = try field.signed()
            case 6: isCollected = try field.bool()
            default: break
            }
        }
        self.init(
            version: try reader.required(version, 1), item: try reader.required(item, 2),
            number: try reader.required(number, 3), author: try reader.required(author, 4),
            moment: WallTime(milliseconds: try reader.required(moment, 5)),
            isCollected: isCollected)
    }
}

extension VersionList: WireMessage {
    package func write(to writer: inout ByteWriter) { writer.field(1, versions) }

    package init(from reader: inout ByteReader) throws(WireError) {
        var versions: [VersionMessage] = []
        while let field = try reader.nextField() {
            guard field.number == 1 else { continue }
            versions.append(try field.structure())
        }
        self.init(versions)
    }
}
