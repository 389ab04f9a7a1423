/// What ids, names and files are hashed with where they are keys of dictionaries and sets.
///
/// Looking them up is a good part of what the core does, and SipHash, which Swift takes for it, was
/// most of that. An id is a digest or a random number already: it is folded by one multiplication,
/// under keys that are drawn anew in each process, so that whoever chooses ids and names cannot
/// have them fall together.
struct Folding {
    private let first: UInt64
    private let second: UInt64

    /// This process's, from the seed that Swift draws for it.
    static let own = Folding(first: key(1), second: key(2))

    private static func key(_ number: Int) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(number)
        return UInt64(truncatingIfNeeded: hasher.finalize()) | 1
    }

    /// The hash of two words, for a dictionary's own seed.
    func hash(_ one: UInt64, _ other: UInt64, _ seed: Int) -> Int {
        Int(truncatingIfNeeded: folded(one ^ UInt64(truncatingIfNeeded: seed), other))
    }

    /// One word for two.
    func folded(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = (one ^ first).multipliedFullWidth(by: other ^ second)
        return product.high ^ product.low
    }

    /// One word for bytes.
    func folded(_ bytes: [UInt8]) -> UInt64 {
        var state = UInt64(bytes.count)
        var word: UInt64 = 0
        var index = 0
        while index < bytes.count {
            word = word << 8 | UInt64(bytes[index])
            index += 1
            guard index & 7 == 0 else { continue }
            state = folded(state, word)
            word = 0
        }
        return folded(state, word)
    }
}

extension Identifier {
    package func _rawHashValue(seed: Int) -> Int { Folding.own.hash(high, low, seed) }
}

extension Digest {
    package func _rawHashValue(seed: Int) -> Int { Folding.own.hash(words.0, words.1, seed) }
}

extension Name {
    package func _rawHashValue(seed: Int) -> Int {
        let own = Folding.own
        return own.hash(own.folded(bytes), 0, seed)
    }
}

extension Slot {
    package func _rawHashValue(seed: Int) -> Int {
        let own = Folding.own
        return own.hash(folder.high ^ own.folded(name.bytes), folder.low, seed)
    }
}

extension TagSlot {
    package func _rawHashValue(seed: Int) -> Int {
        let own = Folding.own
        return own.hash(tag.high ^ own.folded(folder.high, folder.low), tag.low, seed)
    }
}

extension FileIdentity {
    package func _rawHashValue(seed: Int) -> Int {
        let own = Folding.own
        let time = UInt64(bitPattern: birth.seconds) ^ UInt64(birth.nanoseconds) << 32
        return own.hash(own.folded(inode, device), time, seed)
    }
}
