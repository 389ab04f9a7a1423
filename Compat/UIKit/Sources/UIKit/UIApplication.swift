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
        // What is ignored already, as under `nohup`, is to end nothing.
        sources = [SIGTERM, SIGHUP, SIGINT].filter { !isIgnored($0) }.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { EndingSignals.announce(number) }
            source.activate()
            return source
        }
    }

    private static func announce(_ number: Int32) {
        // Whatever hangs: who is asked to end ends.
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(10)) { end(number) }
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

    /// The threads of queues take no signals: this one has to, or the program would stay.
    private static func end(_ number: Int32) {
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }
}

private func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
}
