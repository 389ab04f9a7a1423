import SyncCore

/// Times as ISO 8601, in UTC.
enum ISOTime {
    /// To the nanosecond, as files have it.
    static func text(_ time: FileTime) -> String {
        text(seconds: time.seconds) + "." + padded(Int64(time.nanoseconds), 9) + "Z"
    }

    /// To the millisecond.
    static func text(_ time: WallTime) -> String {
        let (seconds, milliseconds) = time.milliseconds.dividedDown(by: 1000)
        return text(seconds: seconds) + "." + padded(milliseconds, 3) + "Z"
    }

    private static func text(seconds: Int64) -> String {
        let (days, second) = seconds.dividedDown(by: 86_400)
        let day = CivilDay(daysSince1970: days)
        let date = "\(yearText(day.year))-\(padded(day.month, 2))-\(padded(day.day, 2))"
        let time =
            "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        return date + "T" + time
    }

    /// A year that four digits do not hold has a sign, as the standard says.
    private static func yearText(_ year: Int64) -> String {
        if year < 0 { return "-" + padded(-year, 6) }
        return year > 9999 ? "+" + padded(year, 6) : padded(year, 4)
    }

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}

/// A day of the Gregorian calendar, also before there was one.
private struct CivilDay {
    let year: Int64
    let month: Int64
    let day: Int64

    /// Counts in years that begin in March, so that the leap day is the last of its year.
    init(daysSince1970 days: Int64) {
        let daysSinceMarchOfYear0 = days + 719_468
        let (era, dayOfEra) = daysSinceMarchOfYear0.dividedDown(by: daysOf400Years)
        // The last day of 4 and of 400 years is a leap day: it begins no year of its own.
        let century = min(dayOfEra / daysOf100Years, 3)
        let dayOfCentury = dayOfEra - century * daysOf100Years
        let quad = dayOfCentury / daysOf4Years
        let dayOfQuad = dayOfCentury - quad * daysOf4Years
        let yearOfQuad = min(dayOfQuad / 365, 3)
        var left = dayOfQuad - yearOfQuad * 365
        var index = 0
        while left >= daysOfMonths[index] {
            left -= daysOfMonths[index]
            index += 1
        }
        let marchYear = era * 400 + century * 100 + quad * 4 + yearOfQuad
        year = index < 10 ? marchYear : marchYear + 1
        month = Int64(index < 10 ? index + 3 : index - 9)
        day = left + 1
    }
}

private let daysOf4Years: Int64 = 1_461
private let daysOf100Years: Int64 = 36_524
private let daysOf400Years: Int64 = 146_097
/// From March; the last is February, with its leap day.
private let daysOfMonths: [Int64] = [31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31, 29]

extension Int64 {
    /// Like division on paper, but the rest is never negative.
    fileprivate func dividedDown(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}
