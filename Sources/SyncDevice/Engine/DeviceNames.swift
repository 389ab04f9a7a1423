import FoundationEssentials
import SyncCore

/// The names of an account's devices, as the server lists them.
enum DeviceNames {
    private struct Answer: Decodable {
        let devices: [Row]

        struct Row: Decodable {
            let device: String
            let name: String
        }
    }

    /// Nothing for a body that is no such list.
    static func read(_ body: [UInt8]) -> [DeviceID: String] {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(body)) else {
            return [:]
        }
        var names: [DeviceID: String] = [:]
        for row in answer.devices {
            if let id = DeviceID(text: row.device) { names[id] = row.name }
        }
        return names
    }
}
