/// A text cut into tokens (lines or words), each with the symbol of its spelling.
///
/// Two tokens of texts made by one `SymbolTable` have the same symbol exactly when their bytes are
/// equal. The tokens one after the other are the text again.
struct TokenizedText {
    let bytes: [UInt8]
    /// Where each token begins and, as one entry more, where the text ends.
    let starts: [Int32]
    let symbols: [Int32]

    var count: Int { symbols.count }

    /// Returns the bytes of a range of tokens.
    func bytes(of tokens: Range<Int>) -> ArraySlice<UInt8> {
        bytes[Int(starts[tokens.lowerBound])..<Int(starts[tokens.upperBound])]
    }
}
