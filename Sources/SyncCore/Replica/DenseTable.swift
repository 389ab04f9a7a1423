/// A dictionary for very many small entries: these lie side by side, and only numbers of four bytes
/// have gaps between them.
///
/// Swift's own leaves up to two thirds of its room empty, which is megabytes of each of a replica's
/// indices.
struct DenseTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var keys: [Key] = []
    private var values: [Value] = []
    /// Where a key's hash leads, or behind that, its place among the keys and one.
    ///
    /// 0 is for nothing. Their count is a power of two.
    private var buckets: [UInt32] = []

    var isEmpty: Bool { keys.isEmpty }
    var count: Int { keys.count }

    subscript(key: Key) -> Value? {
        get { bucket(of: key).map { values[Int(buckets[$0]) - 1] } }
        set {
            guard let newValue else { return remove(key) }
            if let bucket = bucket(of: key) {
                values[Int(buckets[bucket]) - 1] = newValue
            } else {
                insert(key, newValue)
            }
        }
    }

    private func bucket(of key: Key) -> Int? {
        guard !buckets.isEmpty else { return nil }
        var bucket = home(of: key)
        while buckets[bucket] != 0 {
            if keys[Int(buckets[bucket]) - 1] == key { return bucket }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        return nil
    }

    private func home(of key: Key) -> Int { key.hashValue & (buckets.count - 1) }

    private mutating func insert(_ key: Key, _ value: Value) {
        if keys.count == keys.capacity {
            // An array would take twice what it had.
            let room = keys.count + keys.count / 8 + 4
            keys.reserveCapacity(room)
            values.reserveCapacity(room)
        }
        keys.append(key)
        values.append(value)
        if keys.count * 4 > buckets.count * 3 {
            spread(over: max(8, buckets.count * 2))
        } else {
            link(keys.count - 1)
        }
    }

    private mutating func spread(over count: Int) {
        buckets = [UInt32](repeating: 0, count: count)
        for place in keys.indices { link(place) }
    }

    private mutating func link(_ place: Int) {
        var bucket = home(of: keys[place])
        while buckets[bucket] != 0 { bucket = (bucket + 1) & (buckets.count - 1) }
        buckets[bucket] = UInt32(place + 1)
    }

    /// The last one takes its place, so that there is no gap.
    private mutating func remove(_ key: Key) {
        guard let bucket = bucket(of: key) else { return }
        let place = Int(buckets[bucket]) - 1
        clear(bucket)
        let last = keys.count - 1
        if place != last, let moved = self.bucket(of: keys[last]) {
            buckets[moved] = UInt32(place + 1)
            keys.swapAt(place, last)
            values.swapAt(place, last)
        }
        keys.removeLast()
        values.removeLast()
    }

    /// Those behind it that would have had the bucket move up, until there is a gap.
    private mutating func clear(_ bucket: Int) {
        let mask = buckets.count - 1
        var hole = bucket
        var next = (hole + 1) & mask
        while buckets[next] != 0 {
            let home = home(of: keys[Int(buckets[next]) - 1])
            if (next - home) & mask >= (next - hole) & mask {
                buckets[hole] = buckets[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        buckets[hole] = 0
    }
}
