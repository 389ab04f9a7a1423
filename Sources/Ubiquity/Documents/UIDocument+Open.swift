import DeviceSocket
import Foundation
import SyncWire
import Synchronization

extension UIDocument {
    func beginOpening(_ completion: MainActorBox<((Bool) -> Void)?>) {
        let url = fileURL
        performAsynchronousFileAccess {
            let result = Result {
                try self.coordinated(.reading(url, .withoutChanges)) { try DocumentReading($0) }
            }
            MainQueue.async { self.finishOpening(url, result, completion) }
        }
    }

    private func finishOpening(
        _ url: URL, _ result: Result<DocumentReading, any Error>,
        _ completion: MainActorBox<((Bool) -> Void)?>
    ) {
        // An open document with unsaved changes has newer content than its file.
        guard state.contains(.closed) || !hasUnsavedChanges else {
            completion.open?(true)
            return
        }
        readAhead = (url, result)
        defer { readAhead = nil }
        do {
            try read(from: url)
            state.subtract([.closed, .savingError, .editingDisabled])
            beginPresence()
            completion.open?(true)
        } catch {
            fail(error, in: .opening)
            completion.open?(false)
        }
    }

    /// On the main actor as a whole: nothing is typed between the reading and the loading.
    func reload(_ url: URL, _ completion: MainActorBox<((Bool) -> Void)?>) {
        state.insert(.editingDisabled)
        disableEditing()
        do {
            try read(from: url)
            enableEditing()
            state.remove(.editingDisabled)
            completion.open?(true)
        } catch {
            fail(error, in: .reverting)
            completion.open?(false)
        }
    }

    func readAndLoad(_ url: URL) throws {
        let reading = try takeReadAhead(url) ?? DocumentReading(url)
        // Before the loading: what the program changes while it loads is a change.
        changes.clear()
        try load(fromContents: reading.content.any, ofType: fileType)
        file.withLock { $0.become(reading.stamp) }
        noteReading(reading.stamp, of: url)
    }

    private func takeReadAhead(_ url: URL) throws -> DocumentReading? {
        guard let ahead = readAhead, ahead.url == url else { return nil }
        readAhead = nil
        return try ahead.result.get()
    }

    /// Tells the daemon which version was read, so that the next edit is made from it.
    ///
    /// If it cannot be told, the daemon goes by what it saw of the reading itself.
    private func noteReading(_ stamp: FileStamp, of url: URL) {
        let session = session
        fileQueue.async {
            guard let path = session.path(of: url) else { return }
            _ = try? session.ask { client throws(DeviceClientError) in
                guard
                    let row = try client.items(path: path, .itself).first,
                    let version = row.version, stamp.hasContent(of: row)
                else { return }
                _ = try client.call(
                    .noteRead(path: path, version: version), timeout: .seconds(5))
            }
        }
    }

    func finishClosing(wasSaved: Bool, _ completion: MainActorBox<((Bool) -> Void)?>) {
        if wasSaved {
            endPresence()
            state = .closed
        }
        completion.open?(wasSaved)
    }

    // MARK: Errors and state

    func fail(_ error: any Error, in task: DocumentTask) {
        failedTask = task
        handleError(error, userInteractionPermitted: true)
    }

    func endFailure(recovered: Bool) {
        guard let task = failedTask else { return }
        failedTask = nil
        guard !recovered else { return }
        switch task {
        case .opening: state.insert(.closed)
        case .saving: state.insert(.savingError)
        case .reverting: state.insert(.editingDisabled)
        }
    }

    func postStateChange() {
        MainQueue.now {
            NotificationCenter.default.post(
                name: UIDocument.stateChangedNotification, object: self)
        }
    }
}
