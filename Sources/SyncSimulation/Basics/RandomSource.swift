/// A small generator of pseudo-random numbers: the same seed gives the same numbers everywhere.
///
/// xoshiro256**, filled by SplitMix64.
package struct RandomSource: Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    package init(seed: UInt64) {
        var seeding = seed
        func next() -> UInt64 {
            seeding &+= 0x9E37_79B9_7F4A_7C15
            return mixed(seeding)
        }
        state = (next(), next(), next(), next())
    }

    package mutating func next() -> UInt64 {
        let result = rotated(state.1 &* 5, by: 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = rotated(state.3, by: 45)
        return result
    }

    /// A number from 0 up to, and without, `bound`, which is above zero.
    package mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    package mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
        let width = UInt64(range.upperBound - range.lowerBound) + 1
        return range.lowerBound + Int64(next().multipliedFullWidth(by: width).high)
    }

    /// True in `share` of a thousand cases.
    package mutating func happens(perMille share: Int) -> Bool { below(1000) < share }

    package mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[below(choices.count)]
    }

    /// A generator that goes its own way from here.
    package mutating func fork() -> RandomSource { RandomSource(seed: next()) }
}

/// SplitMix64's last step: every bit of the input moves half of the output's.
func mixed(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
}

func rotated(_ value: UInt64, by count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
}
