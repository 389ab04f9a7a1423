import SyncCore

extension DeviceStatus: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, UInt64(state.rawValue))
        writer.field(2, account)
        writer.field(3, number)
        writer.field(4, outbox)
        writer.field(5, downloads)
        writer.field(6, conflicts)
        writer.field(7, stuck)
        writer.field(8, text: programVersion)
        if evicted > 0 { writer.field(9, evicted) }
        if keptFree > 0 { writer.field(10, keptFree) }
        if limitUp > 0 { writer.field(11, limitUp) }
        if limitDown > 0 { writer.field(12, limitDown) }
        if returned > 0 { writer.field(13, returned) }
        if setAside > 0 { writer.field(14, setAside) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var state: DeviceState?
        self.init(
            state: .signedOut, account: nil, number: 0, outbox: 0, downloads: 0, conflicts: 0,
            stuck: [], programVersion: "")
        while let field = try reader.nextField() {
            switch field.number {
            case 1: state = try field.choice()
            case 2: account = try field.structure()
            case 3: number = try field.unsigned()
            case 4: outbox = try field.unsigned()
            case 5: downloads = try field.unsigned()
            case 6: conflicts = try field.unsigned()
            case 7: stuck.append(try field.structure())
            case 8: programVersion = try field.text()
            case 9: evicted = try field.unsigned()
            case 10: keptFree = try field.unsigned()
            case 11: limitUp = try field.unsigned()
            case 12: limitDown = try field.unsigned()
            case 13: returned = try field.unsigned()
            case 14: setAside = try field.unsigned()
            default: break
            }
        }
        self.state = try reader.required(state, 1)
    }
}

extension DeviceStatus.Account: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, id)
        writer.field(2, text: name)
        writer.field(3, device)
        writer.field(4, text: deviceName)
        writer.field(5, text: server)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var id: AccountID?
        var name = ""
        var device: DeviceID?
        var deviceName = ""
        var server = ""
        while let field = try reader.nextField() {
            switch field.number {
            case 1: id = try field.identifier()
            case 2: name = try field.text()
            case 3: device = try field.identifier()
            case 4: deviceName = try field.text()
            case 5: server = try field.text()
            default: break
            }
        }
        self.init(
            id: try reader.required(id, 1), name: name, device: try reader.required(device, 3),
            deviceName: deviceName, server: server)
    }
}

extension StuckRow: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, path)
        writer.field(2, text: code)
        writer.field(3, text: reason)
        if let next { writer.field(4, signed: next.milliseconds) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var path: [UInt8]?
        var code = ""
        var reason = ""
        var next: WallTime?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: path = try field.bytes()
            case 2: code = try field.text()
            case 3: reason = try field.text()
            case 4: next = WallTime(milliseconds: try field.signed())
            default: break
            }
        }
        self.init(path: try reader.required(path, 1), code: code, reason: reason, next: next)
    }
}

extension WaitReport: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, isInSync)
        writer.field(2, number)
        writer.field(3, missing)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(isInSync: false, number: 0, missing: [])
        while let field = try reader.nextField() {
            switch field.number {
            case 1: isInSync = try field.bool()
            case 2: number = try field.unsigned()
            case 3: missing.append(try field.structure())
            default: break
            }
        }
    }
}
