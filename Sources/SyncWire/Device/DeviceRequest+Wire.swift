import SyncCore

extension DeviceRequest: WireMessage {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, id)
        writer.field(2, call.number)
        writer.field(3, call.arguments)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var id: UInt64?
        var number: UInt64?
        var arguments = CallArguments()
        while let field = try reader.nextField() {
            switch field.number {
            case 1: id = try field.unsigned()
            case 2: number = try field.unsigned()
            case 3: arguments = try field.structure()
            default: break
            }
        }
        self.init(
            id: try reader.required(id, 1),
            call: try DeviceCall(number: try reader.required(number, 2), arguments, reader))
    }
}

extension DeviceRequest {
    /// The number of a request whose call cannot be read, to answer it all the same.
    package static func id(ofMessage bytes: [UInt8]) -> UInt64? {
        var reader = ByteReader(Array(bytes.dropFirst()))
        do throws(WireError) {
            guard let field = try reader.nextField(), field.number == 1 else { return nil }
            return try field.unsigned()
        } catch {
            return nil
        }
    }
}

/// The fields of all calls: each has its number once, and a call has those that it needs.
struct CallArguments: WireStructure {
    var path: [UInt8]?
    var version: VersionID?
    /// A depth, a duration in milliseconds, an offset, the number of a request, or 1 for what goes
    /// on.
    var count: UInt64?
    var both = false
    var store: [UInt8]?
    var key: [UInt8]?
    var value: [UInt8]?
    var item: ItemID?
    /// A person's yes.
    var isMeant = false
    /// What a person or a program knows of.
    var versions: [VersionID] = []
    /// Bytes a second.
    var up: UInt64?
    var down: UInt64?

    init() {}

    func write(to writer: inout ByteWriter) {
        writer.field(1, path)
        writer.field(2, version)
        writer.field(3, count)
        writer.field(4, both)
        writer.field(5, store)
        writer.field(6, key)
        writer.field(7, value)
        writer.field(20, item)
        if isMeant { writer.field(21, true) }
        if !versions.isEmpty { writer.field(22, versions) }
        writer.field(23, up)
        writer.field(24, down)
    }

    init(from reader: inout ByteReader) throws(WireError) {
        while let field = try reader.nextField() {
            switch field.number {
            case 1: path = try field.bytes()
            case 2: version = try field.identifier()
            case 3: count = try field.unsigned()
            case 4: both = try field.bool()
            case 5: store = try field.bytes()
            case 6: key = try field.bytes()
            case 7: value = try field.bytes()
            case 20: item = try field.identifier()
            case 21: isMeant = try field.bool()
            case 22: versions = try field.identifiers()
            case 23: up = try field.unsigned()
            case 24: down = try field.unsigned()
            default: break
            }
        }
    }
}

extension DeviceCall {
    fileprivate var number: UInt64 {
        switch self {
        case .status: 1
        case .wait: 2
        case .items: 3
        case .content: 4
        case .conflicts: 5
        case .versions: 6
        case .resolve: 7
        case .value: 8
        case .setValue: 9
        case .values: 10
        case .why: 11
        case .openContainer: 12
        case .noteRead: 13
        case .watchItems: 14
        case .watchValues: 15
        case .watchStatus: 16
        case .cancel: 17
        case .accountChanged: 18
        case .trash: 40
        case .restoreItem: 41
        case .restoreVersion: 42
        case .confirm: 43
        case .noteTold: 44
        case .setResidence: 45
        case .keepFree: 46
        case .limit: 47
        case .find: 30
        case .unknown(let number): number
        }
    }

    fileprivate var arguments: CallArguments {
        var arguments = CallArguments()
        switch self {
        case .status, .conflicts, .watchStatus, .accountChanged, .trash, .unknown: break
        case .restoreItem(let item): arguments.item = item
        case .restoreVersion(let path, let version):
            arguments.path = path
            arguments.version = version
        case .confirm(let isMeant): arguments.isMeant = isMeant
        case .wait(let milliseconds): arguments.count = milliseconds
        case .items(let path, let depth):
            arguments.path = path
            arguments.count = UInt64(depth.rawValue)
        case .content(let path, let version, let offset):
            arguments.path = path
            arguments.version = version
            arguments.count = offset
        case .versions(let path), .why(let path), .watchItems(let path): arguments.path = path
        case .resolve(let path, let keep, let both, let among):
            arguments.path = path
            arguments.version = keep
            arguments.both = both
            arguments.versions = among
        case .noteTold(let path, let versions):
            arguments.path = path
            arguments.versions = versions
        case .value(let store, let key):
            arguments.store = store
            arguments.key = key
        case .setValue(let store, let key, let value):
            arguments.store = store
            arguments.key = key
            arguments.value = value
        case .values(let store), .watchValues(let store): arguments.store = store
        case .openContainer(let id): arguments.path = id
        case .noteRead(let path, let version):
            arguments.path = path
            arguments.version = version
        case .cancel(let request): arguments.count = request
        case .keepFree(let bytes): arguments.count = bytes
        case .limit(let up, let down):
            arguments.up = up
            arguments.down = down
        case .setResidence(let path, let wanted):
            arguments.path = path
            arguments.count = UInt64(wanted.rawValue)
        case .find(let search):
            arguments.path = search.path
            arguments.count = search.isLive ? 1 : 0
            arguments.key = search.containers
            arguments.value = search.condition
        }
        return arguments
    }

    /// The reader is for the place of a complaint.
    fileprivate init(
        number: UInt64, _ arguments: CallArguments, _ reader: ByteReader
    ) throws(WireError) {
        var path: [UInt8] { get throws(WireError) { try reader.required(arguments.path, 1) } }
        var version: VersionID {
            get throws(WireError) { try reader.required(arguments.version, 2) }
        }
        var count: UInt64 { get throws(WireError) { try reader.required(arguments.count, 3) } }
        var store: [UInt8] { get throws(WireError) { try reader.required(arguments.store, 5) } }
        var key: [UInt8] { get throws(WireError) { try reader.required(arguments.key, 6) } }
        switch number {
        case 1: self = .status
        case 2: self = .wait(milliseconds: try count)
        case 3:
            guard let depth = UInt8(exactly: try count).flatMap(ItemsDepth.init(rawValue:)) else {
                throw WireError(offset: reader.offset, problem: .unknownCase(field: 3))
            }
            self = .items(path: try path, depth)
        case 4: self = .content(path: try path, version: arguments.version, offset: try count)
        case 5: self = .conflicts
        case 6: self = .versions(path: try path)
        case 7:
            self = .resolve(
                path: try path, keep: try version, both: arguments.both,
                among: arguments.versions)
        case 8: self = .value(store: try store, key: try key)
        case 9: self = .setValue(store: try store, key: try key, value: arguments.value)
        case 10: self = .values(store: try store)
        case 11: self = .why(path: try path)
        case 12: self = .openContainer(id: try path)
        case 13: self = .noteRead(path: try path, version: try version)
        case 14: self = .watchItems(path: try path)
        case 15: self = .watchValues(store: try store)
        case 16: self = .watchStatus
        case 17: self = .cancel(request: try count)
        case 18: self = .accountChanged
        case 40: self = .trash
        case 41: self = .restoreItem(try reader.required(arguments.item, 20))
        case 42: self = .restoreVersion(path: try path, try version)
        case 43: self = .confirm(isMeant: arguments.isMeant)
        case 44: self = .noteTold(path: try path, arguments.versions)
        case 45:
            guard
                let wanted = UInt8(exactly: try count).flatMap(ItemResidence.init(rawValue:))
            else { throw WireError(offset: reader.offset, problem: .unknownCase(field: 3)) }
            self = .setResidence(path: try path, wanted)
        case 46: self = .keepFree(bytes: try count)
        case 47: self = .limit(up: arguments.up, down: arguments.down)
        case 30:
            self = .find(
                ItemSearch(
                    path: try path, condition: try reader.required(arguments.value, 7),
                    containers: try key, isLive: try count == 1))
        default: self = .unknown(number)
        }
    }
}
