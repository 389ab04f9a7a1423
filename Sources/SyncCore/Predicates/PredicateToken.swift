/// A piece of a format text.
struct PredicateToken: Equatable {
    var kind: PredicateTokenKind
    var start: Int
    var end: Int
}

enum PredicateTokenKind: Equatable {
    case end
    case word([UInt8])
    /// `#word`: a key even if the word is reserved.
    case escapedWord([UInt8])
    /// `@count`, with its sign.
    case operatorKey([UInt8])
    /// A function name with colons inside: `add:to:`.
    case selector([UInt8])
    case variable([UInt8])
    case number(PredicateValue)
    case string([UInt8])
    case placeholder(PredicatePlaceholder)
    case symbol(PredicateSymbol)
}

/// What a percent sign asks for.
enum PredicatePlaceholder: Equatable {
    case object
    case keyPath
    case integer
    case real
    case character
    case text
}

enum PredicateSymbol: String, CaseIterable {
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBrace = "{"
    case rightBrace = "}"
    case leftBracket = "["
    case rightBracket = "]"
    case comma = ","
    case dot = "."
    case plus = "+"
    case minus = "-"
    case star = "*"
    case slash = "/"
    case percent = "%%"
    case power = "**"
    case equal = "="
    case doubleEqual = "=="
    case notEqual = "!="
    case lessGreater = "<>"
    case less = "<"
    case greater = ">"
    case lessEqual = "<="
    case equalLess = "=<"
    case greaterEqual = ">="
    case equalGreater = "=>"
    case doubleAmpersand = "&&"
    case doubleBar = "||"
    case exclamation = "!"
    case ampersand = "&"
    case bar = "|"
    case caret = "^"
    case tilde = "~"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case assign = ":="
}

/// The reserved words: as a key each of them needs a `#` in front.
enum PredicateKeyword: String, CaseIterable {
    case and
    case or
    case isIn = "in"
    case not
    case all
    case any
    case someOf = "some"
    case noneOf = "none"
    case like
    case caseInsensitive = "caseinsensitive"
    case ci
    case matches
    case contains
    case beginsWith = "beginswith"
    case endsWith = "endswith"
    case between
    case null
    case isNil = "nil"
    case evaluated = "self"
    case isTrue = "true"
    case yes
    case isFalse = "false"
    case no
    case first
    case last
    case size
    case anyKey = "anykey"
    case subquery
    case fetch
    case cast
    case truePredicate = "truepredicate"
    case falsePredicate = "falsepredicate"
    case typeConforms = "uti-conforms-to"
    case typeEquals = "uti-equals"

    /// Keywords are the same in upper and lower case.
    init?(_ word: [UInt8]) {
        guard word.count <= 15 else { return nil }
        self.init(rawValue: String(decoding: word.asciiLowercased, as: UTF8.self))
    }
}

extension [UInt8] {
    var asciiLowercased: [UInt8] {
        map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 | 0x20 : $0 }
    }
}
