/// Whether a document is what was saved last, after it was changed, undone and redone.
///
/// A count would not do: who undoes what was saved and then types something else is back at the
/// count that was saved, with another content. So each content has a point in a tree: how many
/// changes lead to it, and by which branch.
struct DocumentChanges: Sendable {
    private var position = 0
    /// The most that can be redone leads there.
    private var top = 0
    /// Where changes went another way than what was undone, the outermost first.
    private var branches: [Branch] = []
    private var lastBranch = 0
    private var saved = Point(position: 0, branch: 0)
    /// Counts the clearings: a token from before one says nothing after it.
    private var era = 0

    private struct Branch {
        let start: Int
        let number: Int
    }

    fileprivate struct Point: Hashable {
        var position: Int
        var branch: Int
    }

    /// A content that is about to be saved.
    struct Token: Sendable {
        fileprivate var point: Point
        fileprivate var era: Int
    }

    var token: Token { Token(point: point, era: era) }

    /// Whether the content is another one than was saved last.
    var isUnsaved: Bool { point != saved }

    private var point: Point {
        Point(
            position: position,
            branch: branches.last { $0.start < position }?.number ?? 0)
    }

    mutating func count(_ change: UIDocument.ChangeKind) {
        switch change {
        case .done:
            if position < top { branch(at: position) }
            position += 1
            top = position
        case .redone:
            position += 1
            top = max(top, position)
        case .undone: position -= 1
        case .cleared: clear()
        }
    }

    /// More was done that is undone together with the change before.
    mutating func goOn() {
        branch(at: position - 1)
        top = position
    }

    private mutating func branch(at start: Int) {
        branches.removeAll { $0.start >= start }
        lastBranch += 1
        branches.append(Branch(start: start, number: lastBranch))
    }

    mutating func save(_ token: Token) {
        if token.era == era { saved = token.point }
    }

    mutating func clear() {
        saved = point
        era += 1
    }
}
