public import Foundation

/// Remembers how to take back what was done, and how to do it again.
///
/// Follows Apple's documentation of UndoManager. What is registered between two turns of the main
/// queue is one group, and is undone together:
///
/// ```swift
/// func setText(_ new: String) {
///     let old = text
///     undoManager.registerUndo(withTarget: self) { $0.setText(old) }
///     text = new
/// }
/// ```
@MainActor @preconcurrency
open class UndoManager: NSObject {
    private var undoGroups: [UndoGroup] = []
    private var redoGroups: [UndoGroup] = []
    /// From the outermost to the innermost.
    private var openGroups: [UndoGroup] = []
    private var phase = Phase.doing
    private var disabledCount = 0
    /// Tells the groups of one turn of the main queue from those of the next.
    private var turn = 0
    private var isTurnGroupOpen = false
    /// Told once for each outermost group with something in it, and for each undo and redo.
    var didChange: (UIDocument.ChangeKind) -> Void = { _ in }
    /// Told of what is done after that within the same group.
    var didGoOn: () -> Void = {}

    private enum Phase {
        case doing
        case undoing
        case redoing
    }

    /// Makes an undo manager that remembers nothing yet.
    nonisolated public override init() { super.init() }

    // MARK: Registering

    /// Remembers how to take back what is done now; the target is not kept alive by it.
    ///
    /// While something is undone this is how to do it again.
    ///
    /// - Precondition: A group is open, or `groupsByEvent` is true.
    public func registerUndo<TargetType: AnyObject>(
        withTarget target: TargetType, handler: @escaping @MainActor (TargetType) -> Void
    ) {
        guard isUndoRegistrationEnabled else { return }
        if openGroups.isEmpty {
            precondition(groupsByEvent, "begin an undo group before you register")
            openTurnGroup()
        }
        let isFirst = openGroups.allSatisfy(\.actions.isEmpty)
        openGroups[openGroups.count - 1].actions.append(
            UndoAction(target: target) { [weak target] in
                if let target { handler(target) }
            })
        guard phase == .doing else { return }
        if isFirst {
            redoGroups = []
            didChange(.done)
        } else {
            didGoOn()
        }
    }

    /// Remembers nothing until the same number of `enableUndoRegistration()`.
    open func disableUndoRegistration() { disabledCount += 1 }

    /// Remembers again, once for each `disableUndoRegistration()`.
    open func enableUndoRegistration() { disabledCount = max(0, disabledCount - 1) }

    /// Whether what is registered is remembered.
    open var isUndoRegistrationEnabled: Bool { disabledCount == 0 }

    /// Forgets everything.
    open func removeAllActions() {
        undoGroups = []
        redoGroups = []
        for index in openGroups.indices { openGroups[index].actions = [] }
    }

    /// Forgets everything that concerns a target.
    open func removeAllActions(withTarget target: Any) {
        let target = target as AnyObject
        undoGroups = undoGroups.without(target)
        redoGroups = redoGroups.without(target)
        for index in openGroups.indices {
            openGroups[index].actions.removeAll { $0.target === target }
        }
    }

    // MARK: Groups

    /// Begins a group: what is registered until its end is undone together.
    open func beginUndoGrouping() { openGroups.append(UndoGroup()) }

    /// Ends the group that was begun last; in another group it becomes a part of that.
    ///
    /// - Precondition: A group is open.
    open func endUndoGrouping() {
        guard let group = openGroups.popLast() else {
            preconditionFailure("no undo group is open")
        }
        guard openGroups.isEmpty else {
            openGroups[openGroups.count - 1].actions += group.actions
            return
        }
        isTurnGroupOpen = false
        guard !group.actions.isEmpty else { return }
        if phase == .undoing {
            redoGroups.append(group)
        } else {
            undoGroups.append(group)
            forgetOldest()
        }
    }

    /// How many groups are open.
    open var groupingLevel: Int { openGroups.count }

    /// Whether what is registered in one turn of the main queue becomes a group by itself.
    open var groupsByEvent: Bool = true

    /// The most groups that can be undone; 0 stands for no limit.
    open var levelsOfUndo: Int = 0 {
        didSet { forgetOldest() }
    }

    private func forgetOldest() {
        guard levelsOfUndo > 0, undoGroups.count > levelsOfUndo else { return }
        undoGroups.removeFirst(undoGroups.count - levelsOfUndo)
    }

    private func openTurnGroup() {
        beginUndoGrouping()
        isTurnGroupOpen = true
        turn += 1
        let turn = turn
        MainQueue.async { [weak self] in
            guard let self, self.turn == turn else { return }
            closeTurnGroup()
        }
    }

    private func closeTurnGroup() {
        if isTurnGroupOpen, openGroups.count == 1 { endUndoGrouping() }
    }

    // MARK: Undo and redo

    /// Takes back the last group.
    ///
    /// - Precondition: No group is open but that of this turn of the main queue.
    open func undo() {
        closeTurnGroup()
        precondition(openGroups.isEmpty, "end the undo groups before you undo")
        undoNestedGroup()
    }

    /// Takes back the last group that was ended.
    open func undoNestedGroup() {
        guard phase == .doing, let group = undoGroups.popLast() else { return }
        perform(group, .undoing)
        didChange(.undone)
    }

    /// Does the last group again that was taken back.
    open func redo() {
        closeTurnGroup()
        guard phase == .doing, openGroups.isEmpty, let group = redoGroups.popLast() else { return }
        perform(group, .redoing)
        didChange(.redone)
    }

    /// The newest action first; what it registers is a group of the other kind.
    private func perform(_ group: UndoGroup, _ new: Phase) {
        phase = new
        beginUndoGrouping()
        openGroups[0].name = group.name
        for action in group.actions.reversed() { action.perform() }
        endUndoGrouping()
        phase = .doing
    }

    /// Whether there is something to take back.
    open var canUndo: Bool { !undoGroups.isEmpty || openGroups.contains { !$0.actions.isEmpty } }
    /// Whether there is something to do again.
    open var canRedo: Bool { !redoGroups.isEmpty }
    /// Whether something is being taken back.
    open var isUndoing: Bool { phase == .undoing }
    /// Whether something is being done again.
    open var isRedoing: Bool { phase == .redoing }

    // MARK: Names

    /// Names what the open group does, or else the last one, for people.
    open func setActionName(_ actionName: String) {
        if openGroups.isEmpty {
            if !undoGroups.isEmpty { undoGroups[undoGroups.count - 1].name = actionName }
        } else {
            openGroups[0].name = actionName
        }
    }

    /// What would be taken back, for people; empty if it has no name.
    open var undoActionName: String { openGroups.first?.name ?? undoGroups.last?.name ?? "" }
    /// What would be done again, for people; empty if it has no name.
    open var redoActionName: String { redoGroups.last?.name ?? "" }
}

private struct UndoGroup {
    var actions: [UndoAction] = []
    var name = ""
}

private struct UndoAction {
    weak var target: AnyObject?
    let perform: @MainActor () -> Void
}

extension [UndoGroup] {
    fileprivate func without(_ target: AnyObject) -> [UndoGroup] {
        compactMap { group in
            var group = group
            group.actions.removeAll { $0.target === target }
            return group.actions.isEmpty ? nil : group
        }
    }
}
