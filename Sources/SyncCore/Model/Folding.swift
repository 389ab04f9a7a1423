/// What ids, names and files are hashed with where they are keys of dictionaries and sets.
///
/// Looking them up is a good part of what the core does, and SipHash, which Swift takes for it, was
/// most of that. An id is a digest or a random number already: it is folded by one multiplication,
/// under keys that are drawn anew in each process, so that whoever chooses ids and names cannot have
/// them fall together.
enum Folding {
    /// Of SipHash under this process's own seed.
    static let keys: (UInt64, UInt64) = (key(1), key(2))

    private static func key(_ number: Int) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(number)
        return UInt64(truncatingIfNeeded: hasher.finalize()) | 1
    }

    static func folded(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = one.multipliedFullWidth(by: other)
        return product.high ^ product.low
    }

    /// The hash of two words, for a dictionary's own seed.
    static func hash(_ one: UInt64, _ other: UInt64, seed: Int) -> Int {
        let seeded = one ^ keys.0 ^ UInt64(truncatingIfNeeded: seed)
        return Int(truncatingIfNeeded: folded(seeded, other ^ keys.1))
    }

    /// A number that stands for bytes, to be hashed with others.
    static func word(_ bytes: [UInt8]) -> UInt64 {
        var state = keys.0 ^ UInt64(bytes.count)
        var word: UInt64 = 0
        var filled = 0
        for byte in bytes {
            word = word << 8 | UInt64(byte)
            filled += 1
            guard filled == 8 else { continue }
            state = folded(state ^ word, keys.1)
            word = 0
            filled = 0
        }
        return folded(state ^ word, keys.1)
    }
}

extension Identifier {
    package func _rawHashValue(seed: Int) -> Int { Folding.hash(high, low, seed: seed) }
}

extension Digest {
    package func _rawHashValue(seed: Int) -> Int {
        Folding.hash(words.0, words.1, seed: seed)
    }
}

extension Name {
    package func _rawHashValue(seed: Int) -> Int {
        Folding.hash(Folding.word(bytes), 0, seed: seed)
    }
}

extension Slot {
    package func _rawHashValue(seed: Int) -> Int {
        Folding.hash(folder.high ^ Folding.word(name.bytes), folder.low, seed: seed)
    }
}

extension TagSlot {
    package func _rawHashValue(seed: Int) -> Int {
        let folder = Folding.folded(folder.high ^ Folding.keys.0, folder.low ^ Folding.keys.1)
        return Folding.hash(tag.high ^ folder, tag.low, seed: seed)
    }
}

extension FileIdentity {
    package func _rawHashValue(seed: Int) -> Int {
        let birth = UInt64(bitPattern: birth.seconds) ^ UInt64(birth.nanoseconds) << 32
        return Folding.hash(inode ^ device << 48, birth, seed: seed)
    }
}
