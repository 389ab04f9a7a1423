/// What a watching program is told.
package enum DeviceEvent: Hashable, Sendable {
    /// Items that are new or have changed, and those that are gone, in one step.
    case items(changed: [ItemRow], removed: [RemovedItem])
    /// Keys of the watched store that changed from elsewhere, or whose write was refused.
    case values(store: [UInt8], keys: [[UInt8]], ValueChangeReason)
    case status(DeviceStatus)
    case found(FoundChanges)
}

/// Why keys changed; the numbers are those that Apple's notification carries.
package enum ValueChangeReason: UInt8, Hashable, Sendable, CaseIterable {
    case serverChange = 0
    case initialSyncChange = 1
    case quotaViolationChange = 2
    case accountChange = 3
}

/// One field, whose number is the case.
extension DeviceEvent: WireStructure {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .items(let changed, let removed):
            writer.structure(1) { writer in
                writer.field(1, changed)
                writer.field(2, removed)
            }
        case .values(let store, let keys, let reason):
            writer.structure(2) { writer in
                writer.field(1, store)
                for key in keys { writer.field(2, key) }
                writer.field(3, UInt64(reason.rawValue))
            }
        case .status(let status): writer.field(3, status)
        case .found(let changes): writer.field(30, changes)
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        guard let field = try reader.nextField() else {
            throw WireError(offset: reader.offset, problem: .truncated)
        }
        switch field.number {
        case 1: self = try .items(from: field)
        case 2: self = try .values(from: field)
        case 3: self = .status(try field.structure())
        case 30: self = .found(try field.structure())
        default: throw field.unknownCase
        }
        try reader.skipRest()
    }

    private static func items(from field: WireField) throws(WireError) -> Self {
        var reader = try field.inside()
        var changed: [ItemRow] = []
        var removed: [RemovedItem] = []
        while let field = try reader.nextField() {
            switch field.number {
            case 1: changed.append(try field.structure())
            case 2: removed.append(try field.structure())
            default: break
            }
        }
        return .items(changed: changed, removed: removed)
    }

    private static func values(from field: WireField) throws(WireError) -> Self {
        var reader = try field.inside()
        var store: [UInt8]?
        var keys: [[UInt8]] = []
        var reason: ValueChangeReason?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: store = try field.bytes()
            case 2: keys.append(try field.bytes())
            case 3: reason = try field.choice()
            default: break
            }
        }
        return .values(
            store: try reader.required(store, 1), keys: keys, try reader.required(reason, 3))
    }
}
