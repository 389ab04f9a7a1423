import DeviceSocket
public import Foundation
import SyncWire

// Apple's documentation of FileManager, "Managing iCloud-Based Items": what is on this device.

extension FileManager {
    /// Asks for the content of an item that is not on this device; returns at once.
    ///
    /// Queries and resource values tell how far it is, and a coordinated read waits for it.
    ///
    /// - Throws: `CocoaError.fileNoSuchFile` if the place is in no container or nothing is known of
    ///   it, `.ubiquitousFileUbiquityServerNotAvailable` if there is no daemon to fetch it.
    public func startDownloadingUbiquitousItem(at url: URL) throws {
        try ItemContent(url, .shared).startFetching()
    }

    /// Removes the content of an item from this device; it stays in iCloud.
    ///
    /// Returns when that is done. What iCloud does not have yet, what is in conflict, what a
    /// program writes or has open as a document, what was pinned, and packages are not evicted.
    ///
    /// - Throws: What ``startDownloadingUbiquitousItem(at:)`` throws, and
    ///   `CocoaError.fileWriteUnknown` with the reason if the item is not evicted.
    public func evictUbiquitousItem(at url: URL) throws {
        try ItemContent(url, .shared).evict()
    }
}

/// The content of an item in iCloud, to be here or not.
struct ItemContent {
    private let url: URL
    private let path: [UInt8]
    private let session: DeviceSession

    init(_ url: URL, _ session: DeviceSession) throws {
        let missing = CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
        guard let path = session.path(of: url) else { throw missing }
        self.url = url
        self.path = path
        self.session = session
        if url.facts(session) != nil { return }
        guard (try? session.client()) != nil else {
            throw CocoaError(.ubiquitousFileUbiquityServerNotAvailable)
        }
        // What was made a moment ago is not known yet, and here.
        guard (try? FileSystem.look(url.pathBytes)).flatMap(\.self) != nil else { throw missing }
    }

    /// What is here already is left as it is.
    func startFetching() {
        guard url.facts(session)?.row.state == .placeholder else { return }
        let (session, path) = (session, path)
        DispatchQueue.global().async {
            // If it cannot be had, the item's state says so.
            _ = try? session.ask { client throws(DeviceClientError) in
                try client.performLong(.setResidence(path: path, .here))
            }
        }
    }

    func evict() throws {
        try askPresenters()
        do throws(DeviceClientError) {
            try session.ask { client throws(DeviceClientError) in
                try client.performLong(.setResidence(path: path, .atServer))
            }
        } catch {
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [NSFilePathErrorKey: url.path, NSLocalizedDescriptionKey: "\(error)"])
        }
    }

    /// Those of this program who present the item let go of it, or the eviction fails.
    private func askPresenters() throws {
        let place = coordinatedPath(url)
        let wish = FileClaim.Wish(
            purpose: [], files: [ClaimedFile(path: place, isWriting: true)])
        let patience = Patience(deadline: .now + .seconds(10))
        for concerned in PresenterList.shared.concerned(with: place, except: nil)
        where concerned.relation == .item {
            let refusal: (any Error)? = try concerned.ask(patience, wish) { presenter, answer in
                presenter.accommodatePresentedItemEviction(completionHandler: answer)
            }
            if let refusal { throw refusal }
        }
    }
}
