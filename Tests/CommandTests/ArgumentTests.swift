import SyncCore
import Testing

@testable import SyncDevice

/// What is understood of what a person types.
@Suite struct ArgumentTests {
    @Test func takesOptionsInBothForms() throws {
        let arguments = try CommandArguments(
            bytes("one", "--store", "a", "--keep=b=c", "--json", "--", "--two"),
            options: ["--store", "--keep"], flags: ["--json"])
        #expect(arguments.words == bytes("one", "--two"))
        #expect(try arguments.text("--store") == "a")
        #expect(try arguments.text("--keep") == "b=c")
        #expect(try arguments.text("--other") == nil)
        #expect(arguments.has("--json") && !arguments.has("--both"))
    }

    @Test func keepsNamesThatAreNoText() throws {
        let arguments = try CommandArguments([[0x63, 0xE9], [0x2D, 0xFF]])
        #expect(arguments.words == [[0x63, 0xE9], [0x2D, 0xFF]])
    }

    @Test(arguments: [
        ["--unknown"], ["--json=yes"], ["--json", "--json"], ["--store"], ["--store", "a", "b"],
        ["--store="], [""],
    ])
    func refuses(_ words: [String]) {
        let given = words.map { Array($0.utf8) }
        #expect(throws: CommandFailure.self) {
            let arguments = try CommandArguments(given, options: ["--store"], flags: ["--json"])
            _ = try arguments.text("--store")
            try arguments.refuseWords(after: 0)
        }
    }

    @Test func understandsCommands() throws {
        let join = try JoinCommand(bytes("HTTPS://cloud.example:8420//", "--account", "anna"))
        #expect(join.server.text == "https://cloud.example:8420")
        #expect(join.account == "anna" && !join.device.isEmpty)
        #expect(try WaitCommand([]).milliseconds == 60_000)
        #expect(try WaitCommand(bytes("--timeout", "0.0015")).milliseconds == 2)
        #expect(try ListCommand([]).path == nil)
        let resolve = try ResolveCommand(bytes("a", "--keep", "ABc", "--both"))
        #expect(resolve.keep.text == "abc" && resolve.both)
        #expect(try SetValueCommand(bytes("k", "")).arguments.words == bytes("k", ""))
        #expect(try GetValueCommand(bytes("k")).arguments.store == bytes("org.ubiquity.notes")[0])
    }

    @Test(arguments: [
        "cloud.example", "ftp://cloud.example", "http://", "http:///", "http://a b", "http://a?b",
        "http://anna@a", "http://a#b",
    ])
    func refusesAddresses(_ text: String) {
        #expect(throws: CommandFailure.self) { try ServerAddress(text) }
    }

    @Test func keepsThePathOfAnAddress() throws {
        #expect(try ServerAddress("http://[::1]:80/cloud/").text == "http://[::1]:80/cloud")
    }

    @Test(arguments: ["-1", "nan", "inf", "1e300", "ten", ""])
    func refusesTimeouts(_ text: String) {
        #expect(throws: CommandFailure.self) { try WaitCommand(bytes("--timeout", text)) }
    }

    @Test func findsTheVersionThatIsMeant() throws {
        let one = "11110000000000000000000000000000"
        let other = "11120000000000000000000000000000"
        let known = [one, other].compactMap { VersionID(text: $0) }
        #expect(try VersionPrefix("1111").version { known }.text == one)
        #expect(throws: CommandFailure.self) { try VersionPrefix("111").version { known } }
        #expect(throws: CommandFailure.self) { try VersionPrefix("2").version { known } }
        #expect(throws: CommandFailure.self) { try VersionPrefix("xyz") }
        #expect(throws: CommandFailure.self) { try VersionPrefix(one + "0") }
        #expect(try VersionPrefix(other).version { [] }.text == other)
    }

    @Test func showsNamesInOneLine() {
        #expect(shown([0x61, 0x0A, 0x1B, 0x62, 0xE9]) == "a??b\u{FFFD}")
    }
}

func bytes(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }
