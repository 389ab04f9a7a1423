import Foundation
import Testing

/// The real programs: a server, devices and commands, each a process of its own.
@Suite(.timeLimit(.minutes(2))) struct DeviceProgramTests {
    @Test func carriesFilesBetweenDevices() throws {
        let cloud = try TestCloud()
        let left = cloud.home("left")
        let right = cloud.home("right")
        // One joins before its daemon runs, the other while it runs.
        #expect(try left.run("join", cloud.url + "/", "--account", "anna").status == 0)
        let leftDevice = try left.startDevice()
        let rightDevice = try right.startDevice()
        let join = try right.run("join", cloud.url, "--account", "anna", "--device", "right")
        #expect(join.status == 0)

        let content = String(repeating: "line\n", count: 500_000)
        try left.write(content, to: "long.txt")
        try left.write("", to: "empty.txt")
        let name = Array(left.documents.utf8) + [0x2F, 0x63, 0xE9]
        let file = open(name.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT, 0o600)
        close(file)
        #expect(try left.run("wait", "--timeout", "30").status == 0)
        #expect(try right.run("wait", "--timeout", "30").status == 0)

        let cat = try right.run("cat", right.documents + "/long.txt")
        #expect(cat.status == 0 && cat.text == content)
        #expect(try right.run("cat", right.documents + "/empty.txt").said.isEmpty)
        let list = try right.run("ls", "--json")
        let items = try #require(try list.json()["items"] as? [[String: Any]])
        #expect(items.count == 3)
        #expect(items.allSatisfy { $0["state"] as? String == "current" })
        let other = Array(right.documents.utf8) + [0x2F, 0x63, 0xE9]
        #expect(items.contains { $0["pathBytes"] as? String == Data(other).base64EncodedString() })
        #expect(try right.run(bytes: bytes("cat") + [other]).status == 0)
        #expect(try right.run(bytes: bytes("ls") + [other]).said.suffix(3) == [0x63, 0xE9, 0x0A])
        #expect(try right.run(bytes: bytes("why") + [other]).status == 0)
        let versions = try right.run("versions", right.documents + "/long.txt", "--json").json()
        let version = try #require((versions["versions"] as? [[String: Any]])?.first)
        let id = try #require(version["version"] as? String)
        #expect(version["size"] as? Int == content.utf8.count)
        let old = try left.run(
            "cat", left.documents + "/long.txt", "--version", String(id.prefix(8)))
        #expect(old.status == 0 && old.text == content)
        let status = try right.run("status", "--json")
        #expect(status.status == 0)
        #expect(try status.json()["state"] as? String == "in sync")
        #expect(try status.json()["device"] as? String == "right")

        leftDevice.signal(SIGTERM)
        rightDevice.signal(SIGINT)
        #expect(leftDevice.status == 0 && rightDevice.status == 0)
    }

    @Test func carriesValuesBetweenDevices() throws {
        let cloud = try TestCloud()
        let left = cloud.home("left")
        let right = cloud.home("right")
        #expect(try left.run("join", cloud.url, "--account", "anna").status == 0)
        #expect(try right.run("join", cloud.url, "--account", "anna").status == 0)
        let devices = try [left.startDevice(), right.startDevice()]
        #expect(try left.run("kv", "set", "color", "blue").status == 0)
        #expect(try left.run("kv", "set", "text", input: "two\nlines\n").status == 0)
        #expect(try left.run("kv", "get", "text").text == "two\nlines\n\n")
        #expect(try left.run("wait").status == 0)
        #expect(try right.run("wait").status == 0)
        #expect(try right.run("kv", "get", "color").text == "blue\n")
        #expect(try right.run("kv", "list").text == "color\tblue\ntext\ttwo?lines?\n")
        let values = try right.run("kv", "list", "--json").json()["values"] as? [[String: Any]]
        #expect(values?.map { $0["value"] as? String } == ["blue", "two\nlines\n"])
        #expect(try right.run("kv", "get", "color", "--store", "other").status == 1)
        #expect(try right.run("kv", "delete", "color").status == 0)
        #expect(try right.run("kv", "get", "color").failed(saying: "no key 'color'"))
        for device in devices { device.signal(SIGTERM) }
        #expect(devices.allSatisfy { $0.status == 0 })
    }

    @Test func watchesValuesInAHomeWithALongPath() throws {
        let cloud = try TestCloud()
        let left = cloud.home("left")
        let right = cloud.home(String(repeating: "right", count: 30))
        #expect(try left.run("join", cloud.url, "--account", "anna").status == 0)
        #expect(try right.run("join", cloud.url, "--account", "anna").status == 0)
        let devices = try [left.startDevice(), right.startDevice()]
        let watch = try right.start(bytes("kv", "watch", "count"))
        // Nothing says when the watch has begun: the value changes until it is seen to.
        var count = 0
        while count < 100, !watch.saysSomething(milliseconds: 200) {
            count += 1
            #expect(try left.run("kv", "set", "other", "\(count)").status == 0)
            #expect(try left.run("kv", "set", "count", "\(count)").status == 0)
        }
        #expect(try watch.line().hasPrefix("count\t"))
        for device in devices { device.signal(SIGTERM) }
        #expect(devices.allSatisfy { $0.status == 0 })
        // It ends with the device, and says so.
        #expect(watch.complained.contains("kv watch") && watch.status == 1)
    }

    @Test func settlesConflicts() throws {
        let cloud = try TestCloud()
        let left = cloud.home("left")
        let right = cloud.home("right")
        #expect(try left.run("join", cloud.url, "--account", "anna").status == 0)
        #expect(
            try right.run("join", cloud.url, "--account", "anna", "--device", "right").status == 0)
        let leftDevice = try left.startDevice()
        var rightDevice = try right.startDevice()
        try left.write("first\n", to: "a.txt")
        #expect(try left.run("wait").status == 0)
        #expect(try right.run("wait").status == 0)
        rightDevice.signal(SIGTERM)
        #expect(rightDevice.status == 0)
        try left.write("of the left\n", to: "a.txt")
        #expect(try left.run("wait").status == 0)
        try right.write("of the right\n", to: "a.txt")
        rightDevice = try right.startDevice()
        #expect(try right.run("wait").status == 0)
        #expect(try left.run("wait").status == 0)

        let file = left.documents + "/a.txt"
        #expect(try left.run("status").status == 3)
        let conflicts = try left.run("conflicts", "--json").json()["conflicts"]
        let conflict = try #require((conflicts as? [[String: Any]])?.first)
        #expect(conflict["path"] as? String == file)
        let heads = try #require(conflict["heads"] as? [[String: Any]])
        #expect(heads.map { $0["shown"] as? Bool } == [true, false])
        let other = try #require(heads.last?["version"] as? String)
        #expect(heads.last?["device"] as? String == "right")
        let wrong = try left.run("resolve", file, "--keep", String(repeating: "0", count: 32))
        #expect(wrong.status == 1)
        let resolve = try left.run("resolve", file, "--keep", String(other.prefix(10)))
        #expect(resolve.status == 0, "\(resolve.complained)")
        #expect(try left.run("cat", file).text == "of the right\n")
        #expect(try right.run("wait").status == 0)
        #expect(try right.run("conflicts").said.isEmpty)
        #expect(try right.run("status").status == 0)
        leftDevice.signal(SIGTERM)
        rightDevice.signal(SIGTERM)
        #expect(leftDevice.status == 0 && rightDevice.status == 0)
    }
}
