import Dispatch
import Glibc
public import Ubiquity

/// The notifications by which programs save before they end; nothing else of UIKit's class.
///
/// A program that asks for one of the names is told when it is ended by SIGTERM, SIGHUP or SIGINT,
/// in an operation of the main queue; then open documents are saved, and it ends by that signal.
@MainActor
public final class UIApplication: NSObject {
    private override init() { super.init() }

    /// Posted first when the program is about to end.
    nonisolated public static let willResignActiveNotification = announced(
        "UIApplicationWillResignActiveNotification")
    /// Posted second when the program is about to end.
    nonisolated public static let didEnterBackgroundNotification = announced(
        "UIApplicationDidEnterBackgroundNotification")
    /// Posted last when the program is about to end.
    nonisolated public static let willTerminateNotification = announced(
        "UIApplicationWillTerminateNotification")

    nonisolated private static func announced(_ name: String) -> NSNotification.Name {
        _ = ending
        return NSNotification.Name(name)
    }
}

/// Listens from the moment that it is first asked for.
private let ending = EndingSignals()

private final class EndingSignals: @unchecked Sendable {
    // Kept, and never touched again.
    private let sources: [any DispatchSourceSignal]

    init() {
        sources = [SIGTERM, SIGHUP, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { EndingSignals.announce(number) }
            source.activate()
            return source
        }
    }

    private static func announce(_ number: Int32) {
        OperationQueue.main.addOperation {
            for name in [
                UIApplication.willResignActiveNotification,
                UIApplication.didEnterBackgroundNotification,
                UIApplication.willTerminateNotification,
            ] {
                NotificationCenter.default.post(name: name, object: nil)
            }
            saveDocuments { end(number) }
        }
    }

    /// What is unsaved in open documents is saved; what takes too long is given up.
    private static func saveDocuments(_ done: @escaping @Sendable () -> Void) {
        let saves = DispatchGroup()
        for presenter in NSFileCoordinator.filePresenters where presenter is UIDocument {
            saves.enter()
            presenter.savePresentedItemChanges { _ in saves.leave() }
        }
        saves.notify(queue: .global(), execute: done)
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(5), execute: done)
    }

    private static func end(_ number: Int32) {
        signal(number, SIG_DFL)
        raise(number)
    }
}
