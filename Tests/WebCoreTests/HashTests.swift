import SyncCore
import SyncStore
import Testing
import WebCore

/// The browser's hashes are OpenSSL's.
@Suite struct HashTests {
    /// FIPS 180-4's examples.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func hashesTheStandardsExamples(_ text: String, _ expected: String) {
        #expect(WebCore.SHA256.hash(Array(text.utf8)).text == expected)
    }

    @Test func aMillionLetters() {
        let digest = WebCore.SHA256.hash([UInt8](repeating: 0x61, count: 1_000_000))
        #expect(
            digest.text == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    /// Around the ends of blocks.
    @Test func everyLengthIsAsOpenSSLHasIt() {
        for count in 0..<300 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ count) }
            #expect(WebCore.SHA256.hash(bytes) == SyncStore.SHA256.hash(bytes))
        }
    }

    @Test func hashesPieceByPiece() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for cut in [1, 63, 64, 65, 128, 999] {
            var hash = WebCore.SHA256()
            hash.update(Array(bytes[..<cut]))
            hash.update([])
            hash.update(Array(bytes[cut...]))
            #expect(hash.finish() == SyncStore.SHA256.hash(bytes))
        }
    }

    @Test func hashesWithAKey() {
        for keyCount in [0, 1, 20, 63, 64, 65, 131] {
            let key = [UInt8](repeating: 0xAA, count: keyCount)
            for count in [0, 3, 64, 200] {
                let bytes = [UInt8](repeating: 0xCD, count: count)
                #expect(
                    WebCore.KeyedHash(key: key).hash(bytes)
                        == SyncStore.KeyedHash(key: key).hash(bytes))
            }
        }
    }
}
