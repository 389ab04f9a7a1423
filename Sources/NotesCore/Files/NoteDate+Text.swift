/// A time as ISO 8601 in UTC, to the nanosecond: `2024-01-02T03:04:05.250000000Z`.
package func isoText(_ time: NoteTime) -> String {
    let days = time.seconds >= 0 ? time.seconds / 86_400 : (time.seconds - 86_399) / 86_400
    let second = time.seconds - days * 86_400
    let (year, month, day) = civilDay(days)
    let date = "\(yearText(year))-\(padded(month, 2))-\(padded(day, 2))"
    let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }
    return "\(date)T\(clock.joined(separator: ":")).\(padded(Int64(time.nanoseconds), 9))Z"
}

/// A year that four digits do not hold has a sign, as the standard says.
private func yearText(_ year: Int64) -> String {
    if year < 0 { return "-" + padded(-year, 6) }
    return year > 9999 ? "+" + padded(year, 6) : padded(year, 4)
}

private func padded(_ number: Int64, _ digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}

// A year is taken to begin in March, so that its last day may be the 29th of February.
private func civilDay(_ daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let days = daysSince1970 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra =
        (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
}
