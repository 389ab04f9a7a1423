import Foundation

@testable import Ubiquity

/// A document of plain text.
final class TextDocument: UIDocument {
    var text = ""
    var loadCount = 0
    /// Told after each load.
    var didLoad: (String) -> Void = { _ in }

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        guard let data = contents as? Data else { throw CocoaError(.fileReadCorruptFile) }
        text = String(decoding: data, as: UTF8.self)
        loadCount += 1
        didLoad(text)
    }

    override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }

    func edit(_ text: String) {
        self.text = text
        updateChangeCount(.done)
    }

    /// Saves only when it is told to.
    func saveByHand() {
        autosave.pause = .seconds(3600)
        autosave.longest = .seconds(3600)
    }

    /// Waits until the document has loaded such a text, or has it; false at the time limit.
    func loads(_ isExpected: (String) -> Bool) async -> Bool {
        if isExpected(text) { return true }
        let (texts, continuation) = AsyncStream.makeStream(of: String.self)
        didLoad = { continuation.yield($0) }
        for await text in texts where isExpected(text) { return true }
        return false
    }
}
