import SyncCore
import SyncWire

/// A question that is answered when the containers' folders were looked at: nothing tells of a disk
/// that is mounted over one.
struct RootQuestion {
    let caller: Daemon.Caller
    /// What has much to do answers with what it knows.
    let deadline: Instant
    let answer: (Daemon) -> Void
}

extension Daemon {
    private static var rootPatience: Int64 { 1_000 }

    func afterLookingAtRoots(_ caller: Caller, answer: @escaping (Daemon) -> Void) {
        guard let session else { return answer(self) }
        session.feed(.command(.lookAtRoots))
        rootQuestions.append(
            RootQuestion(
                caller: caller,
                deadline: Clock.now().steady.advanced(milliseconds: Daemon.rootPatience),
                answer: answer))
    }

    func settleRootQuestions() {
        guard !rootQuestions.isEmpty else { return }
        let now = Clock.now().steady
        let isFree = session.map { !$0.hasWork } ?? true
        let open = rootQuestions
        rootQuestions.removeAll()
        for question in open {
            if isFree || question.deadline <= now {
                question.answer(self)
            } else {
                rootQuestions.append(question)
            }
        }
    }
}
