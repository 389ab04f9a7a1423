/// The JSON that requests and answers carry; everything that is not a sync message.
enum JSONBodies {
    struct Join: Codable {
        var account: String
        var password: String
        var device: String
    }

    struct Joined: Codable {
        var token: String
        var account: String
        var accountName: String
        var device: String
        var deviceName: String
        var identityKey: String
    }

    struct Account: Codable {
        var account: String
        var accountName: String
        var device: String
        var deviceName: String
        var number: UInt64
    }

    struct Devices: Codable {
        var devices: [Device]
    }

    struct Device: Codable {
        var device: String
        var name: String
        var revoked: Bool
    }

    struct Name: Codable {
        var name: String
    }

    struct Health: Codable {
        var status: String
        var version: String
    }

    struct Problem: Codable {
        var error: Details

        struct Details: Codable {
            var code: String
            var message: String
        }
    }
}
