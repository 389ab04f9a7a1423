import Foundation
import Testing

/// What the program says when it cannot do what it is asked.
@Suite(.timeLimit(.minutes(2))) struct RefusalProgramTests {
    @Test func saysWhyItCannotJoin() throws {
        let cloud = try TestCloud()
        let home = cloud.home("left")
        let wrong = try home.run("join", cloud.url, "--account", "anna", password: "guess")
        #expect(wrong.failed(saying: "the account or the password is wrong"))
        let unknown = try home.run("join", cloud.url, "--account", "ben")
        #expect(unknown.complained == wrong.complained && unknown.status == 1)
        let empty = try home.run("join", cloud.url, "--account", "anna", password: "")
        #expect(empty.failed(saying: "password is empty"))
        let elsewhere = try home.run("join", cloud.url + "/else", "--account", "anna")
        #expect(elsewhere.failed(saying: "no Ubiquity server"))
        let nowhere = TestHome(path: "/dev/null/home")
        #expect(
            try nowhere.run("join", cloud.url, "--account", "anna").failed(saying: "UBIQUITY_HOME"))
        #expect(try nowhere.run("device", "run").failed(saying: "/dev/null/home"))
        cloud.stop()
        let down = try home.run("join", cloud.url, "--account", "anna")
        #expect(down.failed(saying: "cannot reach \(cloud.url)"))
        #expect(!FileManager.default.fileExists(atPath: home.path + "/.ubiquity/identity.next"))
    }

    @Test func saysWhatIsNotThere() throws {
        let cloud = try TestCloud()
        let home = cloud.home("left")
        for command in ["status", "wait", "ls", "conflicts"] {
            #expect(try home.run(command).failed(saying: "ubiquity device run"))
        }
        let device = try home.startDevice()
        #expect(try home.run("device", "run").failed(saying: "another daemon"))
        let status = try home.run("status", "--json")
        #expect(try status.json()["state"] as? String == "signed out")
        #expect(try home.run("wait").failed(saying: "ubiquity join"))
        #expect(try home.run("leave").failed(saying: "nothing to leave"))
        #expect(try home.run("join", cloud.url, "--account", "anna").status == 0)
        for command in ["cat", "why", "ls", "versions"] {
            #expect(try home.run(command, home.documents + "/none").failed(saying: "none"))
            #expect(try home.run(command, "/etc/passwd").failed(saying: "in no container"))
        }
        device.signal(SIGTERM)
        #expect(device.status == 0)
    }

    @Test(arguments: [
        [], ["fly"], ["kv"], ["kv", "fly"], ["device"], ["join"], ["join", "x", "--account", "a"],
        ["join", "http://a"], ["status", "now"], ["wait", "--timeout"], ["cat"], ["cat", "a", "b"],
        ["resolve", "a"], ["kv", "get"], ["kv", "set", "a", "b", "c"], ["why", "--fly", "a"],
    ])
    func saysHowItIsUsed(_ words: [String]) throws {
        let home = TestHome(path: "/dev/null/home")
        let ended = try home.run(bytes: words.map { Array($0.utf8) })
        #expect(ended.status == 2 && ended.said.isEmpty)
        #expect(ended.complained.split(separator: "\n").count == 2)
        #expect(ended.complained.contains("usage") || ended.complained.contains("ubiquity help"))
    }

    @Test func helps() throws {
        let home = TestHome(path: "/dev/null/home")
        for word in ["help", "--help"] {
            let help = try home.run(word)
            #expect(help.status == 0 && help.text.contains("ubiquity kv watch"))
            #expect(help.text.contains("ubiquity server run"))
        }
        #expect(try home.run("wait", "--help").text.hasPrefix("usage: ubiquity wait"))
        #expect(try home.run("--version").text.hasPrefix("ubiquity "))
    }

    @Test func leavesAndJoinsAgain() throws {
        let cloud = try TestCloud(accounts: ["anna", "ben"])
        let home = cloud.home("left")
        #expect(try home.run("join", cloud.url, "--account", "anna").status == 0)
        // Nothing has taken up the account yet; it can be left all the same.
        #expect(try home.run("leave").status == 0)
        #expect(try home.run("leave").status == 1)
        #expect(try home.run("join", cloud.url, "--account", "anna").status == 0)
        let device = try home.startDevice()
        try home.write("mine\n", to: "a.txt")
        #expect(try home.run("wait").status == 0)
        #expect(try home.run("leave").text.contains("its files stay"))
        #expect(try home.run("status").text.hasPrefix("signed out\n"))
        #expect(FileManager.default.fileExists(atPath: home.documents + "/a.txt"))
        // The same account goes on from what is there; another one starts empty.
        #expect(try home.run("join", cloud.url, "--account", "anna").status == 0)
        #expect(try home.run("wait").status == 0)
        #expect(try home.run("ls").text.hasSuffix("a.txt\n"))
        #expect(try home.run("join", cloud.url, "--account", "ben").status == 0)
        #expect(try home.run("wait").status == 0)
        #expect(try home.run("ls").said.isEmpty)
        // Without its server it can still leave.
        cloud.stop()
        let left = try home.run("leave")
        #expect(left.status == 0 && left.text.contains("could not be told"))
        device.signal(SIGTERM)
        #expect(device.status == 0)
    }
}
