/// A pattern of LIKE: `*` is any run of characters, `?` is one, a backslash takes either as it is.
struct PredicatePattern {
    private enum Part: Equatable {
        case run
        case one
        case scalar(UInt32)
    }

    private let parts: [Part]

    init(_ pattern: [UInt8]) {
        var parts: [Part] = []
        var isEscaped = false
        for scalar in PredicateScalars.decode(pattern) {
            switch scalar {
            case _ where isEscaped:
                parts.append(.scalar(scalar))
                isEscaped = false
            case 0x5c: isEscaped = true
            case 0x2a where parts.last == .run: break
            case 0x2a: parts.append(.run)
            case 0x3f: parts.append(.one)
            default: parts.append(.scalar(scalar))
            }
        }
        if isEscaped { parts.append(.scalar(0x5c)) }
        self.parts = parts
    }

    /// The characters that every match begins with, and whether they are the whole pattern.
    var literalPrefix: (text: [UInt8], isWhole: Bool) {
        var text: [UInt8] = []
        for part in parts {
            guard case .scalar(let scalar) = part else { return (text, false) }
            PredicateScalars.append(scalar, to: &text)
        }
        return (text, true)
    }

    /// Whether the whole text matches; at most as many steps as text times pattern.
    func matches(_ text: [UInt8]) -> Bool {
        let scalars = PredicateScalars.decode(text)
        var place = 0
        var part = 0
        // The last run seen, and where the text after it was tried.
        var run: (part: Int, place: Int)?
        while place < scalars.count {
            if part < parts.count, parts[part] == .run {
                run = (part, place)
                part += 1
            } else if part < parts.count, accepts(parts[part], scalars[place]) {
                part += 1
                place += 1
            } else if let last = run {
                run = (last.part, last.place + 1)
                part = last.part + 1
                place = last.place + 1
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .run }
    }

    private func accepts(_ part: Part, _ scalar: UInt32) -> Bool {
        part == .one || part == .scalar(scalar)
    }
}
