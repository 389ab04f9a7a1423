import FuzzSupport
import SyncCore

/// Three texts, with a byte 1 between them: a merge ends, and the order of the sides is nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var input = FuzzInput([UInt8](fuzzed: start, count))
    let base = input.part(endedBy: 1)
    let first = input.part(endedBy: 1)
    let second = input.all()

    let merge = TextMerge.merge(base: base, first: first, second: second)
    let mirror = TextMerge.merge(base: base, first: second, second: first)
    switch (merge, mirror) {
    case (.merged(let text), .merged(let other)):
        require(text == other, "the order of the sides changes the merge")
        require(
            TextMerge.merge(base: base, first: text, second: text) == .merged(text),
            "a merge does not merge to itself")
    case (.conflict(let regions), .conflict(let others)):
        require(regions == others.map(\.mirrored), "the order of the sides moves a conflict")
    case (.notText, .notText): break
    default: require(false, "the order of the sides decides whether they merge")
    }

    let suggestion = TextMerge.suggestion(base: base, first: first, second: second)
    require(
        suggestion == TextMerge.suggestion(base: base, first: second, second: first),
        "the order of the sides changes the suggestion")
    if case .merged(let text) = merge {
        require(suggestion == text, "the suggestion is another than the merge")
    }
    return 0
}

extension ConflictRegion {
    fileprivate var mirrored: ConflictRegion {
        ConflictRegion(base: base, first: second, second: first)
    }
}
