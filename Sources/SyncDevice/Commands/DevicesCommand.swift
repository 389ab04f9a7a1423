import FoundationEssentials
import SyncCore
import SyncStore
import SyncTransport

/// `ubiquity devices`: which devices the account has, their names, and the end of one's key.
struct DevicesCommand: Command {
    static let words = ["devices"]
    static let usage = "ubiquity devices [rename [NAME] NEW-NAME | revoke NAME] [--json]"
    static let summary = "The account's devices; revoke ends a device's access."

    enum Action: Equatable {
        case list
        /// Without a name it is this device that gets the new one.
        case rename(String?, to: String)
        case revoke(String)
    }

    let action: Action
    let isJSON: Bool

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, flags: ["--json"])
        isJSON = arguments.has("--json")
        let words = arguments.words.map { String(decoding: $0, as: UTF8.self) }
        switch (words.first, words.count) {
        case (nil, _): action = .list
        case ("rename", 2): action = .rename(nil, to: words[1])
        case ("rename", 3): action = .rename(words[1], to: words[2])
        case ("revoke", 2): action = .revoke(words[1])
        case ("rename", _), ("revoke", _): throw .usage("a device's name is needed")
        case (let word?, _): throw .usage("there is no command 'devices \(word)'")
        }
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let homeIdentity = try HomeIdentity(writing: home)
        guard var identity = try homeIdentity.current(), let token = identity.token else {
            throw .failed(
                "\(home.name) belongs to no account; join one with"
                    + " `ubiquity join URL --account NAME`")
        }
        let requests = DeviceRequests(server: identity.server, token: token)
        let devices = try requests.list()
        switch action {
        case .list: try show(devices, identity.device)
        case .rename(let name, let new):
            let device = try name.map { (name) throws(CommandFailure) in
                try find(name, among: devices)
            }
            let id = device?.device ?? identity.device.text
            try requests.rename(id, to: new)
            if id == identity.device.text {
                identity.deviceName = new
                _ = try homeIdentity.change(to: identity)
            }
            try CommandOutput.say("the device is '\(new)' now")
        case .revoke(let name):
            let device = try find(name, among: devices)
            try requests.revoke(device.device)
            try CommandOutput.say(
                "the device '\(device.name)' is revoked; what it had sent stays, and its files"
                    + " stay where they are")
        }
        return 0
    }

    private func show(
        _ devices: [DeviceRequests.Device], _ own: DeviceID
    ) throws(CommandFailure) {
        if isJSON {
            return try CommandOutput.say(
                .object([
                    (
                        "devices",
                        .list(
                            devices.map {
                                .object([
                                    ("device", .text($0.device)), ("name", .text($0.name)),
                                    ("revoked", .bool($0.revoked)),
                                    ("this", .bool($0.device == own.text)),
                                ])
                            })
                    )
                ]))
        }
        for device in devices {
            let notes = [
                device.device == own.text ? "this device" : nil,
                device.revoked ? "revoked" : nil,
            ].compactMap { $0 }
            let note = notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))"
            try CommandOutput.say("", name: Array(device.name.utf8), note)
        }
    }

    /// By its name, or by its id where several have the name.
    private func find(
        _ name: String, among devices: [DeviceRequests.Device]
    ) throws(CommandFailure) -> DeviceRequests.Device {
        if let device = devices.first(where: { $0.device == name }) { return device }
        let found = devices.filter { $0.name == name && !$0.revoked }
        if found.count > 1 {
            throw .failed(
                "several devices are called '\(name)'; name one by its id:"
                    + " \(found.map { $0.device }.joined(separator: ", "))")
        }
        guard let device = found.first else {
            throw .failed("no device is called '\(name)'; `ubiquity devices` lists them")
        }
        return device
    }
}

/// What the server knows of the account's devices.
struct DeviceRequests {
    let server: String
    let token: String

    struct Device: Decodable {
        let device: String
        let name: String
        let revoked: Bool
    }

    private struct List: Decodable {
        let devices: [Device]
    }

    func list() throws(CommandFailure) -> [Device] {
        let body = try send("GET", "/v1/devices", body: nil)
        guard let list = try? JSONDecoder().decode(List.self, from: Data(body)) else {
            throw .failed("no Ubiquity server answers at \(server); check the address")
        }
        return list.devices
    }

    func rename(_ device: String, to name: String) throws(CommandFailure) {
        _ = try send(
            "POST", "/v1/devices/\(device)/rename", body: .object([("name", .text(name))]))
    }

    func revoke(_ device: String) throws(CommandFailure) {
        _ = try send("POST", "/v1/devices/\(device)/revoke", body: nil)
    }

    private func send(
        _ method: String, _ path: String, body: JSONValue?
    ) throws(CommandFailure) -> [UInt8] {
        var request = HTTPClientRequest(
            method: method, url: server + path,
            headers: [
                "Authorization": "Bearer \(token)", "Content-Type": "application/json",
            ], body: body?.bytes ?? [])
        request.timeoutMilliseconds = 10_000
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try AccountRequest(server: server).answer(to: request)
        } catch {
            throw .failed(
                "cannot reach \(server): \(error); start the server, or check the network")
        }
        guard response.isSuccess else { throw .failed(reason(response)) }
        return response.body
    }

    private func reason(_ response: HTTPClientResponse) -> String {
        switch response.status {
        case 401: "this device was revoked; join again with `ubiquity join`"
        case 400: "the server does not take this name; give another one"
        default: "the server answered \(response.status); try again"
        }
    }
}
