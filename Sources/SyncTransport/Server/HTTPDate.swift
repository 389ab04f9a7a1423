import Glibc

/// The date of the head of an answer, written anew once a second.
struct HTTPDate {
    private var second: time_t = -1
    private var text = ""

    mutating func current() -> String {
        let now = time(nil)
        if now != second {
            second = now
            text = HTTPDate.format(now)
        }
        return text
    }

    static func format(_ moment: time_t) -> String {
        var moment = moment
        var parts = unsafe tm()
        unsafe gmtime_r(&moment, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let day = unsafe days[Int(parts.tm_wday)]
        let month = unsafe months[Int(parts.tm_mon)]
        let date = unsafe "\(twoDigits(parts.tm_mday)) \(month) \(parts.tm_year + 1900)"
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits)
        return "\(day), \(date) \(clock.joined(separator: ":")) GMT"
    }

    private static func twoDigits(_ number: Int32) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
