/// Reads a day, or a day and a time, as front matter has them; nil for anything else.
///
/// `2024-01-02`, `2024-01-02T03:04`, `2024-01-02 03:04:05.25 +01:00` and the like. A time without
/// a zone is UTC, so that a note's date is the same on every device.
package func noteDate(_ text: [UInt8]) -> NoteTime? {
    var reader = DateReader(text)
    guard let year = reader.digits(4), reader.take(.hyphen), let month = reader.digits(2),
        reader.take(.hyphen), let day = reader.digits(2), (1...12).contains(month),
        (1...daysOfMonth(month, year)).contains(day)
    else { return nil }
    var seconds = Int64(daysSince1970(year, month, day)) * 86_400
    guard reader.take(.space) || reader.take(UInt8(ascii: "T")) || reader.take(UInt8(ascii: "t"))
    else { return reader.isAtEnd ? NoteTime(seconds: seconds, nanoseconds: 0) : nil }
    guard let hour = reader.digits(2), hour < 24, reader.take(.colon),
        let minute = reader.digits(2), minute < 60
    else { return nil }
    seconds += Int64(hour * 3600 + minute * 60)
    var nanoseconds: UInt32 = 0
    if reader.take(.colon) {
        guard let second = reader.digits(2), second <= 60 else { return nil }
        seconds += Int64(second)
        if reader.take(.dot) { nanoseconds = reader.fraction() }
    }
    guard let offset = reader.zone(), reader.isAtEnd else { return nil }
    return NoteTime(seconds: seconds - Int64(offset), nanoseconds: nanoseconds)
}

private struct DateReader {
    private let text: [UInt8]
    private var position = 0

    init(_ text: [UInt8]) { self.text = text }

    var isAtEnd: Bool { position == text.count }

    mutating func take(_ byte: UInt8) -> Bool {
        guard position < text.count, text[position] == byte else { return false }
        position += 1
        return true
    }

    mutating func digits(_ count: Int) -> Int? {
        guard position + count <= text.count else { return nil }
        var value = 0
        for byte in text[position..<(position + count)] {
            guard byte.isDigit else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        position += count
        return value
    }

    /// In nanoseconds; digits that are finer are left out.
    mutating func fraction() -> UInt32 {
        var value: UInt32 = 0
        var scale: UInt32 = 100_000_000
        while position < text.count, text[position].isDigit {
            value += UInt32(text[position] - 0x30) * scale
            scale /= 10
            position += 1
        }
        return value
    }

    /// Seconds east of UTC; nil for what is no zone.
    mutating func zone() -> Int? {
        while take(.space) {}
        if isAtEnd || take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return 0 }
        let isWest = take(.hyphen)
        guard isWest || take(.plus), let hours = digits(2), hours < 24 else { return nil }
        _ = take(.colon)
        let minutes = isAtEnd ? 0 : digits(2)
        guard let minutes, minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }
}

private func daysOfMonth(_ month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}

// A year is taken to begin in March, so that its last day may be the 29th of February.
private func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
}
