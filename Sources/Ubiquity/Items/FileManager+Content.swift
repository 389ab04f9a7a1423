public import Foundation

// Apple's documentation of FileManager, "Managing iCloud-Based Items": what is on this device.

extension FileManager {
    /// Asks for the content of an item; returns at once.
    ///
    /// A device on Linux fetches all items by itself, so that this looks only whether the item is
    /// known. A coordinated read waits for the content.
    ///
    /// - Throws: `CocoaError.fileNoSuchFile` if the place is in no container or nothing is known of
    ///   it, `.ubiquitousFileUbiquityServerNotAvailable` if there is no daemon to fetch it.
    public func startDownloadingUbiquitousItem(at url: URL) throws {
        try requireItem(url, .shared)
    }

    /// Apple's function that removes the content of an item from this device only.
    ///
    /// A device on Linux keeps the content of all its items, so that nothing is ever removed.
    ///
    /// - Throws: Always: `CocoaError.featureUnsupported` for an item, and for anything else what
    ///   ``startDownloadingUbiquitousItem(at:)`` throws.
    public func evictUbiquitousItem(at url: URL) throws {
        try requireItem(url, .shared)
        throw CocoaError(
            .featureUnsupported,
            userInfo: [
                NSFilePathErrorKey: url.path,
                NSLocalizedDescriptionKey: "this device keeps the content of all its items",
            ])
    }

    private func requireItem(_ url: URL, _ session: DeviceSession) throws {
        guard session.path(of: url) != nil else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
        }
        if url.facts(session) != nil { return }
        // What was made a moment ago is not known yet, and here.
        if (try? FileSystem.look(url.pathBytes)).flatMap(\.self) != nil { return }
        guard (try? session.client()) != nil else {
            throw CocoaError(.ubiquitousFileUbiquityServerNotAvailable)
        }
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
    }
}
