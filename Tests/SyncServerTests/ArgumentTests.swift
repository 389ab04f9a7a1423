import Testing

@testable import SyncServer

@Suite struct ArgumentTests {
    @Test func readsWordsAndOptions() throws {
        let arguments = try Arguments(
            ["add", "--data", "/d", "--", "--anna"], options: ["--data"])
        #expect(arguments.words == ["add", "--anna"])
        #expect(arguments.options == ["--data": "/d"])
        #expect(try Arguments(["--data=/a=b"], options: ["--data"]).options["--data"] == "/a=b")
    }

    @Test(arguments: [["--other", "x"], ["--data"], ["--data", "a", "--data", "b"]])
    func refuses(_ arguments: [String]) {
        #expect(throws: CommandFailure.self) { try Arguments(arguments, options: ["--data"]) }
    }

    @Test func readsAddresses() {
        #expect(ListenAddress("127.0.0.1:0") == ListenAddress(host: "127.0.0.1", port: 0))
        #expect(ListenAddress("[::1]:8420") == ListenAddress(host: "::1", port: 8420))
        #expect(ListenAddress("[::1]:8420")?.description == "[::1]:8420")
    }

    @Test(arguments: ["8420", ":8420", "a:", "a:b", "a:65536", "::1:80", "a:+1", "a:-1"])
    func refusesAddress(_ text: String) { #expect(ListenAddress(text) == nil) }

    @Test func readsCommands() throws {
        let run = try RunCommand(["--data", "/d", "--listen", "0.0.0.0:1"])
        #expect(run.configuration.folder == "/d")
        #expect(run.configuration.listen.description == "0.0.0.0:1")
        let add = try AccountCommand(["add", "anna", "--data", "/d"])
        #expect(add.action == .add(PersonalName("anna")!))
    }

    @Test(arguments: [
        [], ["fly"], ["run"], ["run", "--data", "/d", "--tls-cert", "c"],
        ["run", "x", "--data", "d"],
        ["account"], ["account", "add", "--data", "/d"],
        ["account", "reset", "anna", "--data", "/d"],
        ["account", "list", "anna", "--data", "/d"], ["account", "add", "anna"],
    ])
    func saysWrongUsage(_ arguments: [String]) {
        #expect(ServerCommand.run(arguments) == 2)
    }
}
