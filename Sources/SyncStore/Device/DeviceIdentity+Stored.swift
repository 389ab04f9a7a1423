internal import SyncCore
package import SyncWire

extension DeviceIdentity: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, text: server)
        writer.field(2, account)
        writer.field(3, text: accountName)
        writer.field(4, device)
        writer.field(5, text: deviceName)
        writer.field(6, identityKey)
        writer.field(7, text: token)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var server: String?
        var account: AccountID?
        var accountName: String?
        var device: DeviceID?
        var deviceName: String?
        var identityKey: [UInt8]?
        var token: String?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: server = try field.text()
            case 2: account = try field.identifier()
            case 3: accountName = try field.text()
            case 4: device = try field.identifier()
            case 5: deviceName = try field.text()
            case 6: identityKey = try field.bytes()
            case 7: token = try field.text()
            default: break
            }
        }
        self.init(
            server: try reader.required(server, 1),
            account: try reader.required(account, 2),
            accountName: try reader.required(accountName, 3),
            device: try reader.required(device, 4),
            deviceName: try reader.required(deviceName, 5),
            identityKey: try reader.required(identityKey, 6),
            token: token)
    }
}
