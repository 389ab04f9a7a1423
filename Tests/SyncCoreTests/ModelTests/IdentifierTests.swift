import SyncCore
import SyncStore
import Testing

@Suite struct IdentifierTests {
    @Test func bytesAndTextComeBack() {
        let id = ItemID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
        #expect(id.text == "0123456789abcdeffedcba9876543210")
        #expect(ItemID(text: id.text) == id)
        #expect(ItemID(text: id.text.uppercased()) == id)
        #expect(ItemID(bytes: id.bytes) == id)
    }

    @Test(arguments: ["", "0", "xy", "0123456789abcdeffedcba987654321", "g123456789abcdef"])
    func otherTextIsNoIdentifier(text: String) { #expect(ItemID(text: text) == nil) }

    @Test func otherCountsOfBytesAreNone() {
        #expect(ItemID(bytes: Array(repeating: 0, count: 15)) == nil)
        #expect(ItemID(bytes: Array(repeating: 0, count: 17)) == nil)
        #expect(Digest(bytes: Array(repeating: 0, count: 31)) == nil)
    }

    @Test func theOrderIsThatOfTheBytes() {
        #expect(ItemID(high: 0, low: .max) < ItemID(high: 1, low: 0))
        #expect(ItemID(high: 1, low: 0) < ItemID(high: 1, low: 1))
    }

    @Test func aDigestComesBack() {
        let digest = SHA256.hash(Array("abc".utf8))
        #expect(
            digest.text == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(Digest(bytes: digest.bytes) == digest)
        #expect(ItemID(digest).bytes == Array(digest.bytes.prefix(16)))
    }

    @Test func factsComeBack() throws {
        let facts = VersionFacts(
            digest: SHA256.hash([1]), size: .max, mode: 0o755,
            modified: FileTime(seconds: -141_003_603, nanoseconds: 999_999_999))
        #expect(VersionFacts(bytes: facts.bytes) == facts)
        #expect(VersionFacts(bytes: facts.bytes + [1, 2]) == facts, "what comes later is skipped")
        #expect(VersionFacts(bytes: Array(facts.bytes.dropLast())) == nil)
        #expect(VersionFacts(bytes: [2] + facts.bytes.dropFirst()) == nil)
    }

    // MARK: Positions

    @Test func aPositionDependsOnAllOperationsBeforeIt() {
        let one = SHA256.hash([1])
        let two = SHA256.hash([2])
        let hash: HashFunction = { SHA256.hash($0) }
        func after(_ operations: Digest...) -> Position {
            operations.reduce(.start) {
                $0.advanced(
                    over: $1, of: Incarnation(1), at: WallTime(milliseconds: 2), by: hash)
            }
        }
        let inOrder = after(one, two)
        let swapped = after(two, one)
        #expect(inOrder.number == 2)
        #expect(swapped.number == 2)
        #expect(inOrder.digest != swapped.digest)
    }

    @Test func aPositionIsTheDigestOfTheLastAndOfTheEntry() {
        let operation = SHA256.hash([1])
        let hash: HashFunction = { SHA256.hash($0) }
        var bytes = Digest.zero.bytes
        bytes += [0, 0, 0, 0, 0, 0, 0, 1]
        bytes += [0, 0, 0, 0, 0, 0, 0, 2]
        bytes += [255, 255, 255, 255, 255, 255, 255, 253]
        bytes += operation.bytes
        #expect(
            Position.start.advanced(
                over: operation, of: Incarnation(2), at: WallTime(milliseconds: -3), by: hash)
                == Position(number: 1, digest: SHA256.hash(bytes)))
    }
}
