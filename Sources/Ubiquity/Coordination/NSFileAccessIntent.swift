public import Foundation
import Synchronization

/// What one file is wanted for, for `NSFileCoordinator.coordinate(with:queue:byAccessor:)`.
open class NSFileAccessIntent: NSObject, @unchecked Sendable {
    let access: FileAccess
    private let place: Mutex<URL>

    /// Made by the two functions below.
    public required init(_ url: URL, isWriting: Bool, options: UInt) {
        access =
            isWriting
            ? .writing(url, NSFileCoordinator.WritingOptions(rawValue: options))
            : .reading(url, NSFileCoordinator.ReadingOptions(rawValue: options))
        place = Mutex(url)
        super.init()
    }

    /// Wants to read a file.
    open class func readingIntent(
        with url: URL, options: NSFileCoordinator.ReadingOptions = []
    ) -> Self { Self(url, isWriting: false, options: options.rawValue) }

    /// Wants to write a file.
    open class func writingIntent(
        with url: URL, options: NSFileCoordinator.WritingOptions = []
    ) -> Self { Self(url, isWriting: true, options: options.rawValue) }

    /// Where the file is; within the accessor, the place to use.
    open var url: URL { place.withLock { $0 } }

    func become(_ url: URL) { place.withLock { $0 = url } }
}

/// One access that a coordinator is asked for.
enum FileAccess: Sendable {
    case reading(URL, NSFileCoordinator.ReadingOptions)
    case writing(URL, NSFileCoordinator.WritingOptions)

    var url: URL {
        switch self {
        case .reading(let url, _), .writing(let url, _): url
        }
    }

    /// What others must not do meanwhile.
    var claimed: ClaimedFile {
        switch self {
        case .reading(let url, let options):
            ClaimedFile(url, isWriting: false, followsLink: options.contains(.resolvesSymbolicLink))
        case .writing(let url, _): ClaimedFile(url, isWriting: true, followsLink: false)
        }
    }
}
