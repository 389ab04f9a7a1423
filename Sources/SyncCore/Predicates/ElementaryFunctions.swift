/// Roundings, roots, logarithms and powers without a C library, the same bits on every platform.
///
/// The standard library calls the C library for all of these, and the core links none. Roundings,
/// remainders and roots are exact; the rest is within a few units in the last place for ordinary
/// arguments, and exact for whole powers of ten and whole exponents of small numbers.
enum ElementaryFunctions {
    // The logarithm of two in two parts: the first has trailing zeros, so that products are exact.
    private static let log2High = 0x1.62e42fee00000p-1
    private static let log2Low = 0x1.a39ef35793c76p-33

    static func naturalLogarithm(_ value: Double) -> Double {
        if value.isNaN || value < 0 { return .nan }
        if value == 0 { return -.infinity }
        if value.isInfinite { return value }
        var significand = value.significand
        var exponent = Double(value.exponent)
        if significand > 1.414_213_562_373_095_1 {
            significand /= 2
            exponent += 1
        }
        // ln m = 2 artanh f with f = (m - 1) / (m + 1), at most 0.172.
        let ratio = (significand - 1) / (significand + 1)
        let square = ratio * ratio
        var series = 0.0
        for odd in stride(from: 23.0, through: 3, by: -2) { series = square * (1 / odd + series) }
        return exponent * log2High + (2 * ratio * (1 + series) + exponent * log2Low)
    }

    static func commonLogarithm(_ value: Double) -> Double {
        let result = naturalLogarithm(value) * 0x1.bcb7b1526e50ep-2
        let whole = nearest(result)
        return whole.magnitude < 300 && power(10, whole) == value ? whole : result
    }

    static func exponential(_ value: Double) -> Double {
        if value.isNaN { return value }
        if value > 710 { return .infinity }
        if value < -746 { return 0 }
        let multiple = nearest(value * 0x1.71547652b82fep0)
        let rest = value - multiple * log2High - multiple * log2Low
        var series = 0.0
        for term in stride(from: 16.0, through: 1, by: -1) { series = rest / term * (1 + series) }
        // Two steps, because the greatest results need an exponent that no double has alone.
        let half = Int(multiple) / 2
        let first = Double(sign: .plus, exponent: half, significand: 1 + series)
        return Double(sign: .plus, exponent: Int(multiple) - half, significand: first)
    }

    static func power(_ base: Double, _ exponent: Double) -> Double {
        if exponent == 0 || base == 1 { return 1 }
        if base.isNaN || exponent.isNaN { return .nan }
        if exponent == truncate(exponent), exponent.magnitude < 0x1p31 {
            return wholePower(base, Int(exponent))
        }
        if exponent == 0.5 { return squareRoot(base) }
        if base < 0 && exponent.isFinite && exponent.magnitude < 0x1p53 { return .nan }
        return exponential(exponent * naturalLogarithm(base.magnitude))
    }

    private static func wholePower(_ base: Double, _ exponent: Int) -> Double {
        var result = 1.0
        var square = base
        var rest = exponent.magnitude
        while rest > 0 {
            if rest & 1 == 1 { result *= square }
            square *= square
            rest >>= 1
        }
        return exponent < 0 ? 1 / result : result
    }
}

// MARK: Rounding

extension ElementaryFunctions {
    /// The whole part as an integer, if 64 bits hold it.
    static func whole(_ value: Double) -> Int64? {
        value >= -0x1p63 && value < 0x1p63 ? Int64(value) : nil
    }

    /// The whole part; beyond 2^52 every double is whole.
    static func truncate(_ value: Double) -> Double {
        guard value.magnitude < 0x1p52 else { return value }
        let whole = Double(Int64(value))
        return whole == 0 && value.sign == .minus ? -0.0 : whole
    }

    static func floor(_ value: Double) -> Double {
        let whole = truncate(value)
        return whole > value ? whole - 1 : whole
    }

    static func ceiling(_ value: Double) -> Double { -floor(-value) }

    private static func nearest(_ value: Double) -> Double { floor(value + 0.5) }

    /// What is left of a division by a whole quotient, with the sign of the dividend.
    static func remainder(_ dividend: Double, _ divisor: Double) -> Double {
        if dividend.isNaN || divisor.isNaN || dividend.isInfinite || divisor == 0 { return .nan }
        var rest = dividend.magnitude
        let step = divisor.magnitude
        while rest >= step {
            // The greatest multiple by a power of two that fits: this subtraction is exact.
            var part = Double(sign: .plus, exponent: Int(rest.exponent), significand: 1)
            part = part * step.significand
            if part > rest { part /= 2 }
            rest -= part
        }
        return dividend.sign == .minus ? -rest : rest
    }

    /// The root, rounded as IEEE 754 asks: bit by bit on the whole significand.
    static func squareRoot(_ value: Double) -> Double {
        if value == 0 || value.isNaN || value == .infinity { return value }
        if value < 0 { return .nan }
        var exponent = Int(value.exponent) - 52
        var rest = UInt128(UInt64(value.significand * 0x1p52))
        // An even exponent, and 110 bits or so, of which the root has 55.
        let shift = exponent.isMultiple(of: 2) ? 56 : 57
        rest <<= UInt128(shift)
        exponent -= shift
        var root: UInt128 = 0
        var bit: UInt128 = 1 << 110
        while bit > 0 {
            if rest >= root + bit {
                rest -= root + bit
                root = root >> 1 + bit
            } else {
                root >>= 1
            }
            bit >>= 2
        }
        // One more bit tells that something is left, so that halves round the right way.
        let sticky = root << 1 | (rest > 0 ? 1 : 0)
        return Double(sign: .plus, exponent: exponent / 2 - 1, significand: Double(UInt64(sticky)))
    }
}
