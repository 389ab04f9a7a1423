import SyncCore
import SyncStore
import Testing

/// Hashes against the standards' own vectors.
@Suite struct CryptoTests {
    /// FIPS 180-4's examples.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func hashes(_ text: String, _ expected: String) {
        #expect(SHA256.hash(Array(text.utf8)).text == expected)
    }

    @Test func hashesPieceByPiece() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        var hash = SHA256()
        hash.update(Array(bytes[..<1]))
        hash.update([])
        bytes[1..<600].withUnsafeBytes { hash.update($0) }
        hash.update(Array(bytes[600...]))
        #expect(hash.finish() == SHA256.hash(bytes))
    }

    /// RFC 4231, cases 1, 2 and 6.
    @Test func hashesWithAKey() {
        #expect(
            KeyedHash(key: [UInt8](repeating: 0x0B, count: 20)).hash(Array("Hi There".utf8)).text
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        let jefe = KeyedHash(key: Array("Jefe".utf8))
        for _ in 0..<2 {
            #expect(
                jefe.hash(Array("what do ya want for nothing?".utf8)).text
                    == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        }
        let long = KeyedHash(key: [UInt8](repeating: 0xAA, count: 131))
        #expect(
            long.hash(Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)).text
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        #expect(
            KeyedHash(key: []).hash([]).text
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test func sharesAKeyAmongThreads() async {
        let hash = KeyedHash(key: [1, 2, 3])
        let expected = (0..<100).map { hash.hash([UInt8($0)]) }
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { (0..<100).map { hash.hash([UInt8($0)]) } == expected }
            }
            for await isEqual in group { #expect(isEqual) }
        }
    }

    @Test func comparesSecrets() {
        #expect(isEqualInConstantTime([1, 2], [1, 2]))
        #expect(isEqualInConstantTime([], []))
        #expect(!isEqualInConstantTime([1, 2], [1, 3]))
        #expect(!isEqualInConstantTime([1, 2], [1]))
    }

    @Test func makesSecrets() {
        #expect(randomBytes(0) == [])
        #expect(randomBytes(32).count == 32)
        #expect(randomBytes(32) != randomBytes(32))
    }

    @Test func tagsNamesByAccount() {
        let one = Vault.plain(identityKey: Array(0..<32))
        let again = Vault.plain(identityKey: Array(0..<32))
        let other = Vault.plain(identityKey: Array(1..<33))
        let name = Array("note.md".utf8)
        #expect(one.tag(name) == again.tag(name))
        #expect(one.tag(name) != other.tag(name))
        #expect(one.tag(name) != one.tag(Array("Note.md".utf8)))
        #expect(one.open(one.seal(name)) == name)
        #expect(one.hash(name) == SHA256.hash(name))
        #expect(one.identityKey == Array(0..<32))
    }
}
