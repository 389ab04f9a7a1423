/// Dates written as text in ISO 8601, so that a predicate without arguments can name one.
enum PredicateDate {
    /// Seconds since 2001-01-01 UTC of `2024-03-01` or `2024-03-01T10:00:00.5Z` (or `+01:00`).
    static func parse(_ text: [UInt8]) -> Double? {
        var reader = Reader(text: text)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
            reader.skip("-"), let day = reader.number(2),
            (1...12).contains(month), (1...daysInMonth(month, year)).contains(day)
        else { return nil }
        let midnight = Double(daysSince2001(year, month, day)) * 86_400
        if reader.isAtEnd { return midnight }

        guard reader.skip("T") || reader.skip(" "), let hour = reader.number(2), reader.skip(":"),
            let minute = reader.number(2), hour < 24, minute < 60,
            let second = reader.seconds(), let offset = reader.zone(), reader.isAtEnd
        else { return nil }
        return midnight + Double(hour * 3600 + minute * 60) + second - Double(offset)
    }

    private static func daysInMonth(_ month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts years from March, so that the leap day is a year's last.
    private static func daysSince2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let yearDay = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let leapDays = shifted / 4 - shifted / 100 + shifted / 400
        return shifted * 365 + leapDays + yearDay - 730_791
    }

    private struct Reader {
        let text: [UInt8]
        var place = 0

        var isAtEnd: Bool { place == text.count }

        mutating func skip(_ sign: Unicode.Scalar) -> Bool {
            guard place < text.count, UInt32(text[place]) == sign.value else { return false }
            place += 1
            return true
        }

        mutating func number(_ digits: Int) -> Int? {
            guard place + digits <= text.count else { return nil }
            var value = 0
            for byte in text[place..<place + digits] {
                guard byte.isDigit else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            place += digits
            return value
        }

        /// Seconds with a fraction, or nothing when the text leaves them out.
        mutating func seconds() -> Double? {
            guard skip(":") else { return 0 }
            guard let whole = number(2), whole < 61 else { return nil }
            guard skip(".") else { return Double(whole) }
            var fraction = 0.0
            var scale = 1.0
            while let digit = number(1) {
                scale /= 10
                fraction += Double(digit) * scale
            }
            return Double(whole) + fraction
        }

        /// Seconds east of Greenwich; a time without a zone is in UTC.
        mutating func zone() -> Int? {
            if isAtEnd || skip("Z") { return 0 }
            let isEast = skip("+")
            guard isEast || skip("-"), let hours = number(2) else { return nil }
            _ = skip(":")
            guard let minutes = isAtEnd ? 0 : number(2), minutes < 60 else { return nil }
            return (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
        }
    }
}
