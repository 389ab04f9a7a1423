import Foundation
import SyncCore
import SyncWire
import Synchronization

/// How an open document hears of what others do with its file.
struct DocumentPresence {
    var listening: ItemFeed.Listening?
    /// Known from the first row that was about the file.
    var item: ItemID?
    var savesUnderWay = 0
    /// The file was changed by others while there were unsaved changes.
    var isBehind = false
    var hasConflicts = false
}

extension UIDocument {
    func beginPresence() {
        NSFileCoordinator.addFilePresenter(self)
        guard presence.listening == nil, let path = session.path(of: fileURL) else { return }
        let container = String(
            decoding: path.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
        presence.listening = session.feed(container).listen { [weak self] update in
            MainQueue.async { self?.hear(update) }
        }
    }

    func endPresence() {
        NSFileCoordinator.removeFilePresenter(self)
        presence.listening?.cancel()
        presence = DocumentPresence(savesUnderWay: presence.savesUnderWay)
    }

    private func hear(_ update: ItemFeed.Update) {
        guard presence.listening != nil, !state.contains(.closed) else { return }
        let path = session.path(of: fileURL)
        switch update {
        case .listing(let rows):
            if let row = rows.first(where: { $0.path == path }) {
                hear(row)
            } else {
                hearOfRemoval()
            }
        case .changes(let changed, let removed):
            if let row = changed.first(where: { $0.item == presence.item || $0.path == path }) {
                hear(row)
            } else if removed.contains(where: { $0.item == presence.item || $0.path == path }) {
                hearOfRemoval()
            }
        }
    }

    private func hear(_ row: ItemRow) {
        presence.item = row.item
        if row.path != session.path(of: fileURL),
            let url = session.url(
                ofItem: row.path, isFolder: false)
        {
            presentedItemDidMove(to: url)
        }
        tellOfConflicts(row)
        showTransfer(row.state)
        lookAtFile()
    }

    private func tellOfConflicts(_ row: ItemRow) {
        guard presence.hasConflicts != row.hasConflicts else { return }
        presence.hasConflicts = row.hasConflicts
        let (url, session) = (fileURL, session)
        presenterQueue.addOperation {
            let versions = VersionedItem(url: url, session: session)?.versions() ?? []
            if row.hasConflicts {
                for version in versions where version.isConflict {
                    self.presentedItemDidGain(version)
                }
            } else if let current = versions.first(where: { $0.row.isCurrent }) {
                self.presentedItemDidResolveConflict(current)
            }
        }
    }

    private func showTransfer(_ transferState: ItemProgress) {
        let isUnderWay = transferState == .downloading || transferState == .uploading
        transfer.completedUnitCount = isUnderWay ? 0 : 100
        if isUnderWay {
            state.insert(.progressAvailable)
        } else {
            state.remove(.progressAvailable)
        }
    }

    /// Takes over what others wrote; with unsaved changes that waits for the next save.
    func lookAtFile() {
        guard presence.savesUnderWay == 0, !state.contains(.closed) else { return }
        if isFileChanged {
            if hasUnsavedChanges {
                presence.isBehind = true
            } else {
                presence.isBehind = false
                revert(toContentsOf: fileURL, completionHandler: nil)
            }
        }
        showConflict()
    }

    /// False also if the file is gone: that is told by the daemon.
    private var isFileChanged: Bool {
        let (path, known) = file.withLock { ($0.url.pathBytes, $0.known) }
        let target = FileSystem.resolved(path) ?? path
        guard let known, let stamp = try? PackageStamp.look(target) else { return false }
        return !stamp.isSameContent(as: known)
    }

    private func showConflict() {
        if presence.isBehind || presence.hasConflicts {
            state.insert(.inConflict)
        } else {
            state.remove(.inConflict)
        }
    }

    /// A document with unsaved changes writes its file anew: an edit is stronger than a deletion.
    private func hearOfRemoval() {
        presence.item = nil
        guard (try? FileSystem.look(fileURL.pathBytes)) == .some(nil) else { return }
        guard !hasUnsavedChanges, presence.savesUnderWay == 0 else { return }
        endPresence()
        state = .closed
    }
}
