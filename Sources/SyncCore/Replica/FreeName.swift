/// The next free name beside one that is taken: `Note.md`, `Note 2.md`, `Note 3.md`.
package enum FreeName {
    /// The first name of the row that `isTaken` does not know.
    ///
    /// Bytes are cut from the end of the stem where the name would be longer than a file system
    /// takes, never within a character of UTF-8.
    package static func beside(_ name: Name, isTaken: (Name) -> Bool) -> Name {
        let (stem, ending) = split(name.bytes)
        var number = 2
        while true {
            let tail = Array(" \(number)".utf8) + ending
            let room = Name.maximumCount - tail.count
            if let candidate = Name(shorten(stem, to: room) + tail), !isTaken(candidate) {
                return candidate
            }
            number += 1
        }
    }

    private static func split(_ bytes: [UInt8]) -> ([UInt8], [UInt8]) {
        guard let dot = bytes.lastIndex(of: 0x2E), dot > 0, bytes.count - dot <= 32 else {
            return (bytes, [])
        }
        return (Array(bytes[..<dot]), Array(bytes[dot...]))
    }

    private static func shorten(_ stem: [UInt8], to room: Int) -> [UInt8] {
        guard stem.count > room else { return stem }
        var end = max(room, 1)
        while end > 1, stem[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(stem[..<end])
    }
}
