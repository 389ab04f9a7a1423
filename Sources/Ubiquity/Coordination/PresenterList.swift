import Dispatch
import Foundation
import Synchronization

/// The presenters of this program.
final class PresenterList: Sendable {
    static let shared = PresenterList(session: .shared)

    private let session: DeviceSession
    private let entries = Mutex<[Entry]>([])

    private struct Entry: @unchecked Sendable {
        weak var presenter: (any NSFilePresenter)?
        /// Tells what others did; a document has its own.
        var watch: PresenterWatch?
    }

    init(session: DeviceSession) { self.session = session }

    func add(_ presenter: any NSFilePresenter) {
        let watch =
            presenter is UIDocument ? nil : PresenterWatch(presenter, session: session)
        entries.withLock { entries in
            entries.removeAll { $0.presenter == nil }
            guard !entries.contains(where: { $0.presenter === presenter }) else { return }
            entries.append(Entry(presenter: presenter, watch: watch))
        }
    }

    func remove(_ presenter: any NSFilePresenter) {
        entries.withLock { $0.removeAll { $0.presenter == nil || $0.presenter === presenter } }
    }

    var all: [any NSFilePresenter] {
        entries.withLock { Unchecked($0.compactMap(\.presenter)) }.value
    }

    /// Those who present a file, what it lies in, or what lies in it.
    func concerned(
        with file: [UInt8], except own: (any NSFilePresenter)?
    ) -> [ConcernedPresenter] {
        all.compactMap { presenter in
            guard presenter !== own, let url = presenter.presentedItemURL else { return nil }
            let path = coordinatedPath(url)
            let relation: ConcernedPresenter.Relation
            switch true {
            case path == file: relation = .item
            case file.isAtOrBelow(path): relation = .subitem
            case path.isAtOrBelow(file): relation = .container
            default: return nil
            }
            return ConcernedPresenter(presenter: presenter, relation: relation)
        }
    }
}

/// A presenter that a coordinated access is to be told to.
struct ConcernedPresenter: @unchecked Sendable {
    let presenter: any NSFilePresenter
    let relation: Relation

    enum Relation: Sendable {
        /// It presents the file itself.
        case item
        /// The file lies in what it presents.
        case subitem
        /// What it presents lies in the file.
        case container
    }

    /// Delivers a message and does not wait.
    func tell(_ message: @escaping @Sendable (any NSFilePresenter) -> Void) {
        presenter.presentedItemOperationQueue.addOperation { message(presenter) }
    }

    /// Delivers a message and waits for its answer; one that comes when nobody waits any more is
    /// `late`.
    func ask<Answer: Sendable>(
        _ patience: Patience, _ wish: FileClaim.Wish,
        late: @escaping @Sendable (Answer) -> Void = { _ in },
        _ message:
            @escaping @Sendable (any NSFilePresenter, @escaping @Sendable (Answer) -> Void) -> Void
    ) throws -> Answer {
        let box = AnswerBox<Answer>()
        let queue = presenter.presentedItemOperationQueue
        if OperationQueue.current === queue {
            message(presenter) { box.put($0) }
        } else {
            queue.addOperation { message(presenter) { box.put($0) } }
        }
        while true {
            if let answer = box.take(within: .milliseconds(20)) { return answer }
            do {
                try patience.check(wish)
            } catch {
                box.giveUp(late)
                throw error
            }
        }
    }
}

/// An answer that comes once; a second one is not heard.
private final class AnswerBox<Answer: Sendable>: Sendable {
    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    private struct State {
        var answer: Answer?
        /// Who hears an answer that comes now.
        var late: (@Sendable (Answer) -> Void)?
    }

    func put(_ new: Answer) {
        let late = state.withLock { state in
            guard state.answer == nil else { return nil as (@Sendable (Answer) -> Void)? }
            state.answer = new
            return state.late
        }
        arrived.signal()
        late?(new)
    }

    func take(within time: DispatchTimeInterval) -> Answer? {
        _ = arrived.wait(timeout: .now() + time)
        return state.withLock { $0.answer }
    }

    func giveUp(_ late: @escaping @Sendable (Answer) -> Void) {
        let answer = state.withLock { state in
            state.late = late
            return state.answer
        }
        if let answer { late(answer) }
    }
}
