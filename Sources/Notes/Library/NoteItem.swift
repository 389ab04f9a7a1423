import NotesCore
import Ubiquity

/// A note as the library lists it; its content is in its file.
struct NoteItem: Sendable {
    var path: NotePath
    /// The same on all devices, whatever the note's name is.
    var id: String
    var isHere: Bool
    var hasConflicts: Bool
    var created: Date?
    var modified: Date?
}

extension NoteItem {
    /// Nil for what is no note in the folder.
    init?(_ item: NSMetadataItem, in folder: NoteFolder) {
        guard let url = item.value(forAttribute: NSMetadataItemURLKey) as? URL,
            !url.hasDirectoryPath, let path = folder.path(ofPlace: url.filePath), path.isNote,
            let id = item.value(forAttribute: NSMetadataUbiquitousItemIdentifierKey) as? String
        else { return nil }
        let status =
            item.value(forAttribute: NSMetadataUbiquitousItemDownloadingStatusKey) as? String
        let conflicts = item.value(
            forAttribute: NSMetadataUbiquitousItemHasUnresolvedConflictsKey)
        self.init(
            path: path, id: id,
            isHere: status != NSMetadataUbiquitousItemDownloadingStatusNotDownloaded,
            hasConflicts: conflicts as? Bool ?? false,
            created: item.value(forAttribute: NSMetadataItemFSCreationDateKey) as? Date,
            modified: item.value(forAttribute: NSMetadataItemFSContentChangeDateKey) as? Date)
    }
}

extension NoteFolder {
    /// All notes, in the order of their paths.
    func items() async throws(NotesFailure) -> [NoteItem] {
        let gathering = Gathering()
        guard await gathering.finish() else {
            throw .failed("the device's daemon does not list the notes: try again later")
        }
        return gathering.results.compactMap { NoteItem($0, in: self) }
            .sorted { $0.path < $1.path }
    }

    /// The item of a file that is on the disk, once the device's daemon has seen it.
    func item(of path: NotePath) async throws(NotesFailure) -> NoteItem {
        let url = fileURL(place(of: path))
        var pause = 2
        while pause < longestPause {
            if let item = NSMetadataItem(url: url), let note = NoteItem(item, in: self) {
                return note
            }
            try? await Task.sleep(for: .milliseconds(pause))
            pause *= 2
        }
        throw .failed(
            "\(shown(place(of: path))) is saved, and the device's daemon has not taken it up yet: "
                + "see `ubiquity why`")
    }
}

/// In milliseconds; all pauses together are twice as long.
private let longestPause = 5000

/// One run of a query over the folder, until everything that is there has been told.
private final class Gathering: @unchecked Sendable {
    private let query = NSMetadataQuery()

    init() {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        query.operationQueue = queue
        query.searchScopes = [NSMetadataQueryUbiquitousDocumentsScope]
        query.predicate = NSPredicate(value: true)
    }

    /// Readable after the end.
    var results: [NSMetadataItem] { query.results.compactMap { $0 as? NSMetadataItem } }

    /// False if the daemon was silent for half a minute.
    func finish() async -> Bool {
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSMetadataQueryDidFinishGathering, object: query, queue: nil
        ) { _ in
            end.yield(true)
        }
        query.operationQueue?.addOperation { self.query.start() }
        let timeout = DispatchWorkItem { end.yield(false) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 30, execute: timeout)
        var isDone = false
        for await hasGathered in ends {
            isDone = hasGathered
            break
        }
        timeout.cancel()
        query.stop()
        NotificationCenter.default.removeObserver(observer)
        return isDone
    }
}
