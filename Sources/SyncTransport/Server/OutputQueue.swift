/// What a connection still has to send, in order.
struct OutputQueue {
    enum Item {
        case bytes([UInt8], sent: Int)
        case file(HTTPFile, offset: Int64, left: Int64)

        var left: Int64 {
            switch self {
            case .bytes(let bytes, let sent): Int64(bytes.count - sent)
            case .file(_, _, let left): left
            }
        }
    }

    private(set) var items: [Item] = []
    /// Items before this one have been sent; the array is shortened now and then.
    private var first = 0
    /// How many bytes are still to be sent.
    private(set) var left: Int64 = 0

    var isEmpty: Bool { left == 0 }

    /// The items that are left.
    var pending: ArraySlice<Item> { items[first...] }

    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        items.append(.bytes(bytes, sent: 0))
        left += Int64(bytes.count)
    }

    mutating func append(_ file: HTTPFile, offset: Int64, count: Int64) {
        guard count > 0 else { return }
        items.append(.file(file, offset: offset, left: count))
        left += count
    }

    /// Notes that the first bytes have been sent.
    mutating func didSend(_ count: Int) {
        var count = Int64(count)
        left -= count
        while count > 0, first < items.count {
            let taken = min(count, items[first].left)
            count -= taken
            advance(by: taken)
        }
        if first == items.count {
            items = []
            first = 0
        } else if first >= 64 {
            items.removeFirst(first)
            first = 0
        }
    }

    private mutating func advance(by count: Int64) {
        switch items[first] {
        case .bytes(let bytes, let sent) where sent + Int(count) < bytes.count:
            items[first] = .bytes(bytes, sent: sent + Int(count))
        case .file(let file, let offset, let left) where count < left:
            items[first] = .file(file, offset: offset + count, left: left - count)
        default:
            // The sent item is let go at once: a file is not kept open behind it.
            items[first] = .bytes([], sent: 0)
            first += 1
        }
    }
}
