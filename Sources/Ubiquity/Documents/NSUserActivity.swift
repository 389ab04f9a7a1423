public import Foundation
import Synchronization

/// What a person does in a program, as far as documents need it.
///
/// Follows Apple's documentation of NSUserActivity. Nothing is handed to other devices on Linux: a
/// program keeps an activity and takes it up again.
open class NSUserActivity: NSObject, @unchecked Sendable {
    /// The kind of activity, a name that the program has chosen.
    public let activityType: String

    private let state = Mutex(State())

    private struct State: @unchecked Sendable {
        var title: String?
        var userInfo: [AnyHashable: Any]?
        var needsSave = false
        var isCurrent = false
        var isInvalid = false
    }

    /// Makes an activity of a kind.
    public init(activityType: String) {
        self.activityType = activityType
        super.init()
    }

    /// What people are shown.
    open var title: String? {
        get { state.withLock { $0.title } }
        set { state.withLock { $0.title = newValue } }
    }

    /// What the program needs to take the activity up again.
    open var userInfo: [AnyHashable: Any]? {
        get { state.withLock { Unchecked($0.userInfo) }.value }
        set {
            let new = Unchecked(newValue)
            state.withLock { $0.userInfo = new.value }
        }
    }

    /// Whether `userInfo` is to be written anew before the activity is kept.
    open var needsSave: Bool {
        get { state.withLock { $0.needsSave } }
        set { state.withLock { $0.needsSave = newValue } }
    }

    /// The person does this now; an invalid activity stays so.
    open func becomeCurrent() { state.withLock { $0.isCurrent = !$0.isInvalid } }

    /// The person does something else.
    open func resignCurrent() { state.withLock { $0.isCurrent = false } }

    /// The activity is over.
    open func invalidate() {
        state.withLock { state in
            state.isCurrent = false
            state.isInvalid = true
        }
    }

    var isCurrent: Bool { state.withLock { $0.isCurrent } }
}
