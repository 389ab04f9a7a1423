extension CommandArguments {
    /// `off`, which is 0, or a number with `K`, `M`, `G` or `T` behind it, each 1,024 times the one
    /// before; nil if it is not given.
    func size(_ option: String) throws(CommandFailure) -> UInt64? {
        guard let text = try text(option) else { return nil }
        if text == "off" { return 0 }
        let units: [Character] = ["K", "M", "G", "T"]
        var digits = text[...]
        var factor: UInt64 = 1
        if let last = text.last, let power = units.firstIndex(of: last) {
            digits = text.dropLast()
            factor = 1 << UInt64((power + 1) * 10)
        }
        guard let number = UInt64(digits), number > 0 else {
            throw .usage("\(option) needs a size such as 500K, 20M or 3G, or off")
        }
        let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: factor)
        guard !isTooMuch else { throw .usage("\(option) is more than there can be") }
        return bytes
    }
}
