import Foundation
import Synchronization

extension UIDocument {
    /// In an operation of the main queue.
    func beginSaving(
        _ url: URL, _ operation: SaveOperation, _ completion: MainActorBox<((Bool) -> Void)?>
    ) {
        let content: MainActorBox<(contents: Any, attributes: [AnyHashable: Any], token: Any)>
        do {
            let token = changeCountToken(for: operation)
            let contents = try contents(forType: savingFileType ?? "public.data")
            let attributes = try fileAttributesToWrite(to: url, for: operation)
            content = MainActorBox((contents, attributes, token))
        } catch {
            fail(error, in: .saving)
            scheduleAutosave()
            completion.open?(false)
            return
        }
        presence.savesUnderWay += 1
        performAsynchronousFileAccess {
            let result = Result {
                let parts = content.forWriting
                try self.coordinated(.writing(url, .forReplacing)) { place in
                    try self.writeContents(
                        parts.contents, andAttributes: parts.attributes, safelyTo: place,
                        for: operation)
                }
            }
            MainQueue.async {
                self.finishSaving(url, operation, content.open.token, result, completion)
            }
        }
    }

    private func finishSaving(
        _ url: URL, _ operation: SaveOperation, _ token: Any, _ result: Result<Void, any Error>,
        _ completion: MainActorBox<((Bool) -> Void)?>
    ) {
        presence.savesUnderWay -= 1
        switch result {
        case .success:
            updateChangeCount(withToken: token, for: operation)
            state.subtract([.closed, .savingError])
            presence.isBehind = false
            beginPresence()
        case .failure(let error):
            fail(error, in: .saving)
        }
        scheduleAutosave()
        completion.open?(result.isSuccess)
        lookAtFile()
    }

    // MARK: On the document's queue

    nonisolated func replaceFile(
        _ url: URL, _ contents: Any, _ attributes: [AnyHashable: Any]?, _ operation: SaveOperation
    ) throws {
        let known = file.withLock { $0.url == url ? $0.known : nil }
        let replacement = FileReplacement(url: url, known: known, session: session)
        let stamp = try replacement.perform { temporary in
            try writeContents(contents, to: temporary, for: operation, originalContentsURL: url)
            try setAttributes(attributes, of: temporary)
        }
        file.withLock { file in
            file.url = url
            file.become(stamp)
        }
    }

    private nonisolated func setAttributes(
        _ attributes: [AnyHashable: Any]?, of url: URL
    ) throws {
        let known = (attributes ?? [:]).compactMap { key, value in
            (key.base as? FileAttributeKey).map { ($0, value) }
        }
        guard !known.isEmpty else { return }
        let all = Dictionary(known, uniquingKeysWith: { $1 })
        try FileManager.default.setAttributes(all, ofItemAtPath: url.path)
    }

    nonisolated func writeNewFile(_ url: URL, _ contents: Any) throws {
        if let wrapper = contents as? FileWrapper {
            return try wrapper.write(to: url, originalContentsURL: nil)
        }
        guard let data = contents as? Data else {
            throw CocoaError(
                .featureUnsupported,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "contents(forType:) gave \(type(of: contents)), no Data or FileWrapper"
                ])
        }
        do throws(FileFailure) {
            let path = url.pathBytes
            let descriptor = try FileSystem.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
            defer { FileSystem.close(descriptor) }
            try FileSystem.writeAll(data, to: descriptor, path)
        } catch {
            throw error.cocoa(isWriting: true)
        }
    }
}

extension MainActorBox where Value == (contents: Any, attributes: [AnyHashable: Any], token: Any) {
    /// The program has handed the content over; it is used on the document's queue alone.
    fileprivate var forWriting: (contents: Any, attributes: [AnyHashable: Any], token: Any) {
        unguarded
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
