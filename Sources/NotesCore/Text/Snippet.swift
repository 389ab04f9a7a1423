/// The first words of a text without its title, in one line of at most 200 bytes.
func snippet(_ bytes: [UInt8], from start: Int, title: Range<Int>?) -> [UInt8] {
    var words: [UInt8] = []
    for line in Lines(bytes, from: start) {
        let content = trimmed(bytes, line.range)
        if content.isEmpty || content == title { continue }
        // The lines around code say nothing.
        if bytes.has("```", at: content.lowerBound) || bytes.has("~~~", at: content.lowerBound) {
            continue
        }
        append(bytes[plainText(bytes, content)], to: &words)
        if words.count > snippetLimit { break }
    }
    return shortened(words, to: snippetLimit)
}

private let snippetLimit = 200

/// With one space for any number of blanks and control characters.
private func append(_ text: ArraySlice<UInt8>, to words: inout [UInt8]) {
    var needsSpace = !words.isEmpty
    for byte in text {
        if words.count > snippetLimit + 4 { return }
        if byte <= .space || byte == 0x7F {
            needsSpace = !words.isEmpty
        } else {
            if needsSpace { words.append(.space) }
            needsSpace = false
            words.append(byte)
        }
    }
}
