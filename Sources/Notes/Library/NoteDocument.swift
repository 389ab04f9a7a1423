import Synchronization
import Ubiquity

/// An open note; a save takes nothing of what anybody else has saved meanwhile.
@MainActor
final class NoteDocument: UIDocument {
    var bytes: [UInt8] = []
    private(set) var failure: (any Error)?
    /// The file as it was before it was read.
    private let facts: Mutex<FileFacts?> = Mutex(nil)

    /// Somebody else has saved since the note was read.
    struct ChangedMeanwhile: Error {}

    override func read(from url: URL) throws {
        let now = try FileSystem.look(url.filePath)
        facts.withLock { $0 = now }
        try super.read(from: url)
    }

    override func load(fromContents contents: Any, ofType typeName: String?) throws {
        guard let data = contents as? Data else { throw CocoaError(.fileReadCorruptFile) }
        bytes = Array(data)
    }

    override func contents(forType typeName: String) throws -> Any { Data(bytes) }

    nonisolated override func writeContents(
        _ contents: Any, andAttributes additionalFileAttributes: [AnyHashable: Any]? = nil,
        safelyTo url: URL, for saveOperation: SaveOperation
    ) throws {
        let (now, known) = (try FileSystem.look(url.filePath), facts.withLock { $0 })
        guard let now, let known, now.isSameContent(as: known) else { throw ChangedMeanwhile() }
        try super.writeContents(
            contents, andAttributes: additionalFileAttributes, safelyTo: url, for: saveOperation)
    }

    override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
        failure = error
        super.handleError(error, userInteractionPermitted: userInteractionPermitted)
    }

    /// Gives up what is unsaved.
    func abandon() async {
        updateChangeCount(.cleared)
        await close()
    }
}
