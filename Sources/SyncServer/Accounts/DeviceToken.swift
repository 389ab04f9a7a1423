import SyncCore
import SyncStore

/// A device's key: 32 random bytes that it sends as 64 hexadecimal digits.
///
/// The server stores only their hash, so that a stolen database lets nobody in.
struct DeviceToken: Sendable {
    private let bytes: [UInt8]

    init() { bytes = randomBytes(32) }

    init?(text: String) {
        guard let bytes = decodeHexadecimal(text), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    var text: String { hexadecimal(bytes) }

    var hash: Digest { SHA256.hash(bytes) }
}
