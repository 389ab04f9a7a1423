import DeviceSocket
import Foundation
import SyncCore
import SyncWire
import Synchronization

/// Tells one presenter of what the device saw others do with what it presents.
final class PresenterWatch: Sendable {
    private let session: DeviceSession
    private let known = Mutex(Known())

    fileprivate struct Known: @unchecked Sendable {
        weak var presenter: (any NSFilePresenter)?
        var listening: ItemFeed.Listening?
        /// What is presented and what lies in it; nil before it was told of.
        var rows: [ItemID: ItemRow]?
        /// As the daemon has it.
        var path: [UInt8] = []
    }

    /// Nil if what is presented lies in no container.
    init?(_ presenter: any NSFilePresenter, session: DeviceSession) {
        self.session = session
        guard let url = presenter.presentedItemURL, let path = session.path(of: url) else {
            return nil
        }
        let container = String(
            decoding: path.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
        let reference = Unchecked(presenter)
        known.withLock { known in
            known.presenter = reference.value
            known.path = path
        }
        let listening = session.feed(container).listen { [weak self] in self?.hear($0) }
        known.withLock { $0.listening = listening }
    }

    private func hear(_ update: ItemFeed.Update) {
        let (messages, presenter) = known.withLock { known in
            (known.take(update), Unchecked(known.presenter))
        }
        guard let presenter = presenter.value, !messages.isEmpty else { return }
        let (session, target) = (session, Unchecked(presenter))
        presenter.presentedItemOperationQueue.addOperation {
            for message in messages { message.tell(target.value, session) }
        }
    }
}

/// Something that was done with what a presenter presents.
private struct PresenterMessage: Sendable {
    enum Kind: Sendable {
        case appeared
        case changed
        case moved(from: [UInt8])
        case gained
        case settled
        case removed
    }

    let kind: Kind
    let path: [UInt8]
    let isFolder: Bool
    /// Whether it is the presented item itself.
    let isItem: Bool

    func tell(_ presenter: any NSFilePresenter, _ session: DeviceSession) {
        guard let url = session.url(ofItem: path, isFolder: isFolder) else { return }
        switch kind {
        case .appeared where !isItem: presenter.presentedSubitemDidAppear(at: url)
        case .appeared: presenter.presentedItemDidChange()
        case .changed where !isItem: presenter.presentedSubitemDidChange(at: url)
        case .changed: presenter.presentedItemDidChange()
        case .moved where isItem: presenter.presentedItemDidMove(to: url)
        case .moved(let old):
            guard let old = session.url(ofItem: old, isFolder: isFolder) else { return }
            presenter.presentedSubitem(at: old, didMoveTo: url)
        case .gained, .settled: tellOfVersions(presenter, url, session)
        case .removed where isItem: presenter.accommodatePresentedItemDeletion { _ in }
        case .removed:
            presenter.accommodatePresentedSubitemDeletion(at: url) { _ in }
        }
    }

    private func tellOfVersions(
        _ presenter: any NSFilePresenter, _ url: URL, _ session: DeviceSession
    ) {
        let versions = versions(url, session)
        if case .settled = kind {
            guard let version = versions.first(where: { $0.row.isCurrent }) else { return }
            guard !isItem else { return presenter.presentedItemDidResolveConflict(version) }
            return presenter.presentedSubitem(at: url, didResolve: version)
        }
        for version in versions where version.isConflict {
            if isItem {
                presenter.presentedItemDidGain(version)
            } else {
                presenter.presentedSubitem(at: url, didGain: version)
            }
        }
    }

    private func versions(_ url: URL, _ session: DeviceSession) -> [NSFileVersion] {
        VersionedItem(url: url, session: session)?.versions() ?? []
    }
}

extension PresenterWatch.Known {
    fileprivate mutating func take(_ update: ItemFeed.Update) -> [PresenterMessage] {
        switch update {
        case .listing(let all):
            let isFirst = rows == nil
            let before = rows ?? [:]
            let now = all.filter { $0.path.isAtOrBelow(path) }
            rows = Dictionary(now.map { ($0.item, $0) }, uniquingKeysWith: { $1 })
            guard !isFirst else { return [] }
            let gone = before.values.filter { rows?[$0.item] == nil }
            return gone.map { message(.removed, $0) }
                + now.flatMap { news(of: $0, before: before[$0.item]) }
        case .changes(let changed, let removed):
            var messages: [PresenterMessage] = []
            for item in removed {
                guard let row = rows?.removeValue(forKey: item.item) else { continue }
                messages.append(message(.removed, row))
            }
            for row in changed {
                let before = rows?[row.item]
                if before?.path == path, row.path != path { path = row.path }
                if row.path.isAtOrBelow(path) {
                    rows?[row.item] = row
                    messages += news(of: row, before: before)
                } else if let before {
                    rows?[row.item] = nil
                    messages.append(message(.moved(from: before.path), row))
                }
            }
            return messages
        }
    }

    private func news(of row: ItemRow, before: ItemRow?) -> [PresenterMessage] {
        guard let before else {
            return [message(.appeared, row)] + (row.hasConflicts ? [message(.gained, row)] : [])
        }
        var messages: [PresenterMessage] = []
        if before.path != row.path { messages.append(message(.moved(from: before.path), row)) }
        let isAnother =
            before.size != row.size || before.modified != row.modified
            || before.version != row.version
        if isAnother { messages.append(message(.changed, row)) }
        if before.hasConflicts != row.hasConflicts {
            messages.append(message(row.hasConflicts ? .gained : .settled, row))
        }
        return messages
    }

    private func message(_ kind: PresenterMessage.Kind, _ row: ItemRow) -> PresenterMessage {
        PresenterMessage(
            kind: kind, path: row.path, isFolder: row.kind == .folder || row.kind == .package,
            isItem: row.path == path)
    }
}
