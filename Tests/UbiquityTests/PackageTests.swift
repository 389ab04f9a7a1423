import Foundation
import Testing

@testable import Ubiquity

private final class BundleDocument: UIDocument {
    var wrapper = FileWrapper(directoryWithFileWrappers: [:])

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        guard let package = contents as? FileWrapper, package.isDirectory else {
            throw CocoaError(.fileReadCorruptFile)
        }
        wrapper = package
    }

    override func contents(forType typeName: String) throws -> Any { wrapper }

    func set(_ text: String, in name: String) {
        if let old = wrapper.fileWrappers?[name] { wrapper.removeFileWrapper(old) }
        wrapper.addRegularFile(withContents: Data(text.utf8), preferredFilename: name)
        updateChangeCount(.done)
    }

    func text(_ name: String) -> String? {
        wrapper.fileWrappers?[name]?.regularFileContents.map { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite struct FileWrapperTests {
    @Test func aFolderComesBackAsItWasWritten() throws {
        let home = try TestHome()
        let folder = FileWrapper(directoryWithFileWrappers: [
            "text.md": FileWrapper(regularFileWithContents: Data("text".utf8)),
            "assets": FileWrapper(directoryWithFileWrappers: [
                "a.png": FileWrapper(regularFileWithContents: Data([1, 2]))
            ]),
            "link": FileWrapper(
                symbolicLinkWithDestinationURL: URL(fileURLWithPath: "/nowhere")),
        ])
        let url = home.url.appendingPathComponent("x.textbundle")
        try folder.write(to: url, options: .withNameUpdating, originalContentsURL: nil)
        #expect(folder.filename == "x.textbundle")
        #expect(folder.matchesContents(of: url))
        let read = try FileWrapper(url: url)
        #expect(read.fileWrappers?.keys.sorted() == ["assets", "link", "text.md"])
        #expect(
            read.fileWrappers?["assets"]?.fileWrappers?["a.png"]?.regularFileContents?.count == 2)
        #expect(read.fileWrappers?["link"]?.isSymbolicLink == true)
        #expect(throws: (any Error).self) {
            try folder.write(to: url, originalContentsURL: nil)
        }
        #expect(throws: CocoaError.self) {
            try FileWrapper(url: home.url.appendingPathComponent("no"))
        }
    }

    @Test func aTakenNameGetsANumber() {
        let folder = FileWrapper(directoryWithFileWrappers: [:])
        #expect(folder.addRegularFile(withContents: Data(), preferredFilename: "a.png") == "a.png")
        let second = FileWrapper(regularFileWithContents: Data([1]))
        second.preferredFilename = "a.png"
        #expect(folder.addFileWrapper(second) == "a 2.png")
        #expect(folder.keyForChildFileWrapper(second) == "a 2.png")
        folder.removeFileWrapper(second)
        #expect(folder.fileWrappers?.count == 1)
    }
}

@MainActor
@Suite(.timeLimit(.minutes(1))) struct PackageDocumentTests {
    let home: TestHome
    let url: URL

    init() throws {
        home = try TestHome()
        url = home.url.appendingPathComponent("note.textbundle")
    }

    private func document() -> BundleDocument {
        BundleDocument(fileURL: url, session: home.session)
    }

    @Test func aPackageIsSavedAndOpened() async throws {
        let document = document()
        document.set("one", in: "text.md")
        #expect(await document.save(to: url, for: .forCreating))
        document.set("two", in: "text.md")
        document.set("{}", in: "info.json")
        #expect(await document.close())
        let other = self.document()
        #expect(await other.open())
        #expect(other.text("text.md") == "two")
        #expect(other.text("info.json") == "{}")
        #expect(other.fileType == "org.textbundle.package")
        // No other folder is left behind.
        let names = try FileManager.default.contentsOfDirectory(atPath: home.url.path)
        #expect(names == ["note.textbundle"])
    }

    @Test func aMemberThatAnotherProgramChangedIsNotOverwritten() async throws {
        let document = document()
        document.set("one", in: "text.md")
        #expect(await document.save(to: url, for: .forCreating))
        try Data("another program's".utf8).write(to: url.appendingPathComponent("text.md"))
        document.set("mine", in: "text.md")
        #expect(await !document.autosave())
        #expect(document.documentState.contains(.savingError))
        let kept = try String(contentsOf: url.appendingPathComponent("text.md"), encoding: .utf8)
        #expect(kept == "another program's")
        #expect(await document.revert(toContentsOf: url))
        #expect(document.text("text.md") == "another program's")
    }
}
