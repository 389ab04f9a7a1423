/// Follows the lines of a request's head, for two rules that llhttp leaves to its user: the size of
/// the whole head, blanks included, and that no field goes on in a second line.
struct HeadScanner {
    private enum Place {
        case inLine
        case atLineStart
        /// Behind the carriage return of the empty line.
        case atEnd
    }

    private let bytesMax: Int
    private var bytes = 0
    private var place = Place.inLine
    private(set) var isComplete = false

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    /// Looks at the next bytes.
    ///
    /// - Returns: How many of them belong to the head or come before what is wrong with it.
    mutating func scan(_ next: UnsafeRawBufferPointer) -> (count: Int, problem: HTTPRejection?) {
        guard !isComplete else { return (0, nil) }
        for unsafe(index, byte) in unsafe next.enumerated() {
            bytes += 1
            guard bytes <= bytesMax else { return (index, .headTooLarge) }
            switch (place, byte) {
            case (.atLineStart, UInt8(ascii: " ")), (.atLineStart, UInt8(ascii: "\t")):
                return (index, .malformed("A field goes on in a second line."))
            case (.atLineStart, UInt8(ascii: "\r")):
                place = .atEnd
            case (.atLineStart, UInt8(ascii: "\n")), (.atEnd, _):
                isComplete = true
                return (index + 1, nil)
            case (_, UInt8(ascii: "\n")):
                place = .atLineStart
            default:
                place = .inLine
            }
        }
        return (next.count, nil)
    }
}
