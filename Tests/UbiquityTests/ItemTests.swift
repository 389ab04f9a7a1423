import Foundation
import Testing

@testable import Ubiquity

@Suite(.timeLimit(.minutes(1))) struct ItemTests {
    let home: TestHome
    let daemon: TestDaemon
    let documents: URL

    init() throws {
        home = try TestHome()
        daemon = try TestDaemon(home.home)
        documents = try home.documents()
    }

    private func move(_ from: URL, _ to: URL) throws {
        try FileMove(from: from, to: to, session: home.session).perform()
    }

    @Test func aFileIsMovedAndReplacesNothing() throws {
        let outside = home.url.appendingPathComponent("a.txt")
        let inside = documents.appendingPathComponent("a.txt")
        try Data("one".utf8).write(to: outside)
        try move(outside, inside)
        #expect(try String(contentsOf: inside, encoding: .utf8) == "one")
        try Data("two".utf8).write(to: outside)
        #expect { try move(outside, inside) } throws: {
            ($0 as? CocoaError)?.code == .fileWriteFileExists
        }
        #expect(try String(contentsOf: inside, encoding: .utf8) == "one")
        #expect(try String(contentsOf: outside, encoding: .utf8) == "two")
        #expect { try move(home.url.appendingPathComponent("no"), inside) } throws: {
            $0 is CocoaError
        }
    }

    @Test func aFolderIsMovedOverTheBorderOfAFileSystem() throws {
        // Most systems have another file system in memory here; on the others it is a mere move.
        let other = URL(fileURLWithPath: "/dev/shm/ubiquity-\(UUID().uuidString)")
        let inside = documents.appendingPathComponent("folder")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: other) }
        try Data("one".utf8).write(to: other.appendingPathComponent("a.txt"))
        try move(other, inside)
        let moved = inside.appendingPathComponent("a.txt")
        #expect(try String(contentsOf: moved, encoding: .utf8) == "one")
        #expect(!FileManager.default.fileExists(atPath: other.path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: documents.path) == ["folder"])
    }

    @Test func valuesOfICloudStandBesideFoundations() throws {
        let url = documents.appendingPathComponent("a.txt")
        try Data("one".utf8).write(to: url)
        let keys: [URLResourceKey] = [.fileSizeKey, .isDirectoryKey]
        let values = UbiquityResourceValues(
            base: try url.resourceValues(forKeys: Set(keys)), facts: url.facts(home.session))
        #expect(values.isUbiquitousItem == true)
        #expect(values.ubiquitousItemDownloadingStatus == .current)
        #expect(values.ubiquitousItemHasUnresolvedConflicts == false)
        #expect(values.fileSize == 3)
        #expect(values.isDirectory == false)
        let outside = try home.url.resourceValues(forKeys: [.isDirectoryKey])
        #expect(outside.isUbiquitousItem == false)
        #expect(outside.ubiquitousItemDownloadingStatus == nil)
    }

    @Test func whatIsNoTextHasAURLToo() {
        let path = Array("/tmp/".utf8) + [0xFF, 0xFE] + Array(" x.txt".utf8)
        #expect(fileURL(path, isFolder: false).absoluteString == "file:///tmp/%FF%FE%20x.txt")
        #expect(fileURL(Array("/tmp/\u{FC} x".utf8), isFolder: false).path == "/tmp/\u{FC} x")
    }
}
