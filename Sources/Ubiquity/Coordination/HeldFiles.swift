import DeviceSocket
import Foundation
import SyncWire
import Synchronization

/// Files that nobody else uses in a way that is in this one's, until it is ended.
final class HeldFiles: @unchecked Sendable {
    /// Where the accessor finds them.
    private(set) var urls: [URL] = []
    private let accesses: [FileAccess]
    private let told: [[ConcernedPresenter]]
    private var claim: FileClaim?
    /// What presenters do when the access is over.
    private var reacquirers: [@Sendable () -> Void] = []
    private var copies: [URL] = []

    /// First the presenters let go, then the files are waited for: a presenter that saves now is
    /// before, and one that saves later waits.
    init(
        _ accesses: [FileAccess], _ wish: FileClaim.Wish, presenters: PresenterList,
        except own: (any NSFilePresenter)?, session: DeviceSession, _ patience: Patience
    ) throws {
        self.accesses = accesses
        told = wish.files.map { presenters.concerned(with: $0.path, except: own) }
        do {
            for (access, concerned) in zip(accesses, told) {
                for one in concerned { try prepare(one, access, wish, patience) }
            }
            claim = try FileClaim.take(wish, in: session.claims, patience)
            for access in accesses { try provide(access, wish, session, patience) }
        } catch {
            end(isDone: false)
            throw (error as? FileFailure)?.cocoa(isWriting: true) ?? error
        }
    }

    /// A queue that was emptied has forgotten the access: presenters must not wait for its end.
    deinit { end(isDone: false) }

    /// Lets go of the files and tells presenters what was done.
    func end() { end(isDone: true) }

    private func end(isDone: Bool) {
        claim = nil
        for copy in copies { try? FileManager.default.removeItem(at: copy) }
        for reacquire in reacquirers { reacquire() }
        (reacquirers, copies) = ([], [])
        guard isDone else { return }
        for (access, concerned) in zip(accesses, told) {
            guard case .writing(let url, let options) = access, options != .forDeleting else {
                continue
            }
            for one in concerned { tellOfChange(one, url) }
        }
    }

    private func tellOfChange(_ concerned: ConcernedPresenter, _ url: URL) {
        concerned.tell { presenter in
            switch concerned.relation {
            case .item, .container: presenter.presentedItemDidChange()
            case .subitem: presenter.presentedSubitemDidChange(at: url)
            }
        }
    }

    // MARK: Before

    private func prepare(
        _ concerned: ConcernedPresenter, _ access: FileAccess, _ wish: FileClaim.Wish,
        _ patience: Patience
    ) throws {
        typealias Reacquirer = (@Sendable () -> Void)?
        let mustSave: Bool
        var isDeleting = false
        let reacquirer: Reacquirer
        switch access {
        case .reading(_, let options):
            reacquirer = try concerned.ask(patience, wish, late: reacquireAtOnce) {
                presenter, answer in
                presenter.relinquishPresentedItem(toReader: answer)
            }
            mustSave = !options.contains(.withoutChanges)
        case .writing(_, let options):
            reacquirer = try concerned.ask(patience, wish, late: reacquireAtOnce) {
                presenter, answer in
                presenter.relinquishPresentedItem(toWriter: answer)
            }
            mustSave = !options.isDisjoint(with: [.forMoving, .forMerging])
            isDeleting = options.contains(.forDeleting)
        }
        if let reacquirer { reacquirers.append(reacquirer) }
        if mustSave {
            let failure: (any Error)? = try concerned.ask(patience, wish) { presenter, answer in
                presenter.savePresentedItemChanges(completionHandler: answer)
            }
            if let failure { throw failure }
        }
        if isDeleting {
            let failure: (any Error)? = try concerned.ask(patience, wish) { presenter, answer in
                if concerned.relation == .subitem {
                    presenter.accommodatePresentedSubitemDeletion(
                        at: access.url, completionHandler: answer)
                } else {
                    presenter.accommodatePresentedItemDeletion(completionHandler: answer)
                }
            }
            if let failure { throw failure }
        }
    }

    // MARK: The files

    private func provide(
        _ access: FileAccess, _ wish: FileClaim.Wish, _ session: DeviceSession,
        _ patience: Patience
    ) throws {
        guard case .reading(let url, let options) = access else {
            try fetchBeforeWriting(access, wish, session, patience)
            urls.append(access.url)
            return
        }
        if !options.contains(.immediatelyAvailableMetadataOnly) {
            try awaitContent(url, wish, session, patience)
        }
        var place = url
        if options.contains(.resolvesSymbolicLink) { place = url.resolvingSymlinksInPath() }
        if options.contains(.forUploading) { place = try makeCopy(place) }
        urls.append(place)
    }

    /// Whoever writes where a content was evicted writes over that content, and not a second file
    /// of the name: so it is fetched, if it can be had soon.
    private func fetchBeforeWriting(
        _ access: FileAccess, _ wish: FileClaim.Wish, _ session: DeviceSession,
        _ patience: Patience
    ) throws {
        guard case .writing(let url, let options) = access,
            options.isDisjoint(with: [.forDeleting, .forMoving])
        else { return }
        var short = patience
        short.deadline = min(patience.deadline, .now + longestFetch)
        do {
            try awaitContent(url, wish, session, short)
        } catch let error as CocoaError where error.code == .ubiquitousFileUnavailable {
            // What is written then is kept beside it.
        }
    }

    /// What iCloud has and this device has not is fetched.
    private func awaitContent(
        _ url: URL, _ wish: FileClaim.Wish, _ session: DeviceSession, _ patience: Patience
    ) throws {
        var isAskedFor = false
        while try FileSystem.look(url.pathBytes) == nil {
            switch url.facts(session)?.row.state {
            case .placeholder:
                if !isAskedFor { try ItemContent(url, session).startFetching() }
                isAskedFor = true
            case .downloading: break
            case .stuck: throw unavailable(url)
            case .current, .uploading, nil: return
            }
            do {
                try patience.check(wish)
            } catch let error as CocoaError where error.code == .fileLocking {
                throw unavailable(url)
            }
            usleep(20_000)
        }
    }

    private var longestFetch: Duration { .seconds(10) }

    private func unavailable(_ url: URL) -> CocoaError {
        CocoaError(
            .ubiquitousFileUnavailable,
            userInfo: [
                NSFilePathErrorKey: url.path,
                NSLocalizedDescriptionKey:
                    "the content of \(url.lastPathComponent) did not come to this device;"
                    + " `ubiquity why` says why",
            ])
    }

    private func makeCopy(_ url: URL) throws -> URL {
        guard try PackageStamp.look(url.pathBytes)?.kind != .folder else {
            throw CocoaError(
                .featureUnsupported,
                userInfo: [NSLocalizedDescriptionKey: "a folder is not packed for an upload"])
        }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("upload-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        copies.append(folder)
        let copy = folder.appendingPathComponent(url.lastPathComponent)
        try FileManager.default.copyItem(at: url, to: copy)
        return copy
    }
}

/// Nobody reads or writes any more.
@Sendable private func reacquireAtOnce(_ reacquirer: (@Sendable () -> Void)?) { reacquirer?() }
