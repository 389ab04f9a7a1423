import Foundation
import SyncCore
import SyncTransport
import SyncWire
import Synchronization
import Testing

@testable import SyncServer

/// The real program, with signals and folders that fail.
@Suite struct ProgramTests {
    let folder: String

    init() throws { folder = try makeTemporaryFolder() }

    @Test func addsListsAndRemovesAccounts() throws {
        defer { removeFolder(folder) }
        let data = folder + "/not/yet/there"
        let add = ["server", "account", "add", "anna", "--data", data]
        #expect(try TestProgram(add, password: "secret").status == 0)
        let again = try TestProgram(add, password: "secret")
        #expect(again.status == 1)
        #expect(again.complained.split(separator: "\n").count == 1)
        let empty = ["server", "account", "add", "ben", "--data", data]
        #expect(try TestProgram(empty, password: "").status == 1)
        #expect(try TestProgram(["server", "account", "list", "--data", data]).said == "anna\n")
        let remove = ["server", "account", "remove", "anna", "--data", data]
        #expect(try TestProgram(remove).status == 0)
        #expect(try TestProgram(remove).status == 1)
        #expect(try TestProgram(["server", "account", "list", "--data", data]).said == "")
    }

    @Test func endsOnSignalsAndSaysWhyItCannotStart() throws {
        defer { removeFolder(folder) }
        let run = ["server", "run", "--data", folder, "--listen", "127.0.0.1:0"]
        let first = try TestProgram(run)
        let url = try first.url()
        #expect(try request("GET", url + "/healthz", [:], []).status == 200)
        let second = try TestProgram(run)
        #expect(second.status == 1)
        #expect(second.complained.contains("another server runs on \(folder)"))
        let address = String(url.dropFirst("http://".count))
        let elsewhere = try makeTemporaryFolder()
        defer { removeFolder(elsewhere) }
        let third = try TestProgram(["server", "run", "--data", elsewhere, "--listen", address])
        #expect(third.status == 1)
        let line = third.complained
        #expect(line.split(separator: "\n").count == 1 && line.contains("--listen"))
        let nowhere = try TestProgram(["server", "run", "--data", "/dev/null/x"])
        #expect(nowhere.status == 1 && nowhere.complained.contains("--data"))
        first.terminate()
        #expect(first.status == 0)
        // The log was carried into the file: a copy of the folder needs no other care.
        #expect(!FileManager.default.fileExists(atPath: folder + "/server.db-wal"))
    }

    @Test func losesNothingThatItAcknowledgedWhenItIsKilled() throws {
        defer { removeFolder(folder) }
        let add = ["server", "account", "add", "anna", "--data", folder]
        #expect(try TestProgram(add, password: "secret").status == 0)
        let first = try TestProgram(["server", "run", "--data", folder, "--listen", "127.0.0.1:0"])
        let url = try first.url()
        var device = try TestDevice(Door(url: url))
        var acknowledged: [(SyncCore.Operation, RequestAnswer)] = []
        // The kill comes from another thread, in the middle of a request or between two.
        let killer = Thread { first.kill() }
        while true {
            let operation = device.create("\(acknowledged.count)", .inline([1]))
            guard let answer = try? device.outcomes([operation]) else { break }
            acknowledged.append((operation, answer))
            if acknowledged.count == 20 { killer.start() }
        }
        #expect(first.wasKilled && acknowledged.count >= 20)
        let address = String(url.dropFirst("http://".count))
        let second = try TestProgram(["server", "run", "--data", folder, "--listen", address])
        #expect(try second.url() == url)
        for (operation, answer) in acknowledged {
            #expect(try device.outcomes([operation]) == answer)
        }
        let log = try #require(Pulled(try device.pull()))
        #expect(log.entries.count >= acknowledged.count)
        second.terminate()
        #expect(second.status == 0)
    }
}
