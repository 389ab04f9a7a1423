/// The furthest reach of all paths of one cost that start from one end of a box.
///
/// A path is on the diagonal "index in the first less index in the second". The paths of one cost
/// are on every second diagonal from `low` to `high`; between them stand those of the cost before.
struct SearchFront {
    /// The diagonal of the end that the paths start from.
    private(set) var middle = 0
    private(set) var low = 0
    private(set) var high = 0
    private var lowest = 0
    private var highest = 0
    /// Index in the first sequence, for each diagonal from `middle - radius` on.
    private var reach: [Int32]
    private let radius: Int
    /// What stands beside the outermost diagonals: worse than any path.
    private let edge: Int32

    /// Makes a front for paths of at most `cost`.
    init(cost: Int, edge: Int32) {
        radius = cost + 2
        reach = [Int32](repeating: 0, count: 2 * radius + 1)
        self.edge = edge
    }

    /// Starts again with the one path of no cost, in a box that has these diagonals.
    mutating func start(at index: Int, diagonal: Int, lowest: Int, highest: Int) {
        middle = diagonal
        low = diagonal
        high = diagonal
        self.lowest = lowest
        self.highest = highest
        self[diagonal] = index
    }

    /// Goes on to the next cost: one diagonal more on each side, or one less where the box ends.
    mutating func widen() {
        if low > lowest {
            low -= 1
            self[low - 1] = Int(edge)
        } else {
            low += 1
        }
        if high < highest {
            high += 1
            self[high + 1] = Int(edge)
        } else {
            high -= 1
        }
    }

    func covers(_ diagonal: Int) -> Bool {
        low <= diagonal && diagonal <= high
    }

    subscript(diagonal: Int) -> Int {
        get { Int(reach[diagonal - middle + radius]) }
        set { reach[diagonal - middle + radius] = Int32(newValue) }
    }
}
