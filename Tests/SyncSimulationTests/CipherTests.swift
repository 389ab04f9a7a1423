import SyncCore
import Testing

@testable import SyncSimulation

@Suite("Stands in for encryption")
struct CipherTests {
    @Test("and opens what it sealed, with the same size")
    func opens() {
        let cipher = Cipher(key: 7)
        let bytes = Array("a name that the server must not read".utf8)
        let sealed = cipher.apply(bytes)
        #expect(sealed != bytes)
        #expect(sealed.count == bytes.count)
        #expect(cipher.apply(sealed) == bytes)
    }

    @Test("and gives names tags that say nothing of the key's other tags")
    func tags() {
        let name = Array("a.md".utf8)
        #expect(Cipher(key: 1).vault.tag(name) == Cipher(key: 1).vault.tag(name))
        #expect(Cipher(key: 1).vault.tag(name) != Cipher(key: 2).vault.tag(name))
    }
}
