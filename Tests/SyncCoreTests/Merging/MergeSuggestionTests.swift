import SyncCore
import Testing

@Suite("Merging: suggestions by words")
struct MergeSuggestionTests {
    private func suggestion(_ base: String, _ first: String, _ second: String) -> String? {
        expectWholeSuggestion(base: bytes(base), first: bytes(first), second: bytes(second))
        return TextMerge.suggestion(
            base: bytes(base), first: bytes(first), second: bytes(second)
        ).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("Different words of one line")
    func wordsOfOneLine() {
        #expect(suggestion("red cat\n", "blue cat\n", "red dog\n") == "blue dog\n")
    }

    @Test("What merges by lines is suggested as merged")
    func mergedLines() {
        #expect(suggestion("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n") == "A\nb\nC\n")
    }

    @Test("One word changed by both has no suggestion")
    func sameWord() {
        #expect(suggestion("red cat\n", "blue cat\n", "green cat\n") == nil)
    }

    @Test("An edit against a deletion has no suggestion")
    func editAgainstDeletion() {
        #expect(suggestion("a\nred cat\nb\n", "a\nb\n", "a\nred dog\nb\n") == nil)
    }

    @Test("Lines inserted at one place come in the order of their bytes, common ones once")
    func insertedLines() {
        #expect(suggestion("a\n", "a\ny\n", "a\nx\n") == "a\nx\ny\n")
        #expect(suggestion("a\n", "a\nt\ny\n", "a\nt\nx\n") == "a\nt\nx\ny\n")
        #expect(suggestion("a\n", "a\nx\n", "a\nx\ny\n") == "a\nx\ny\n")
        #expect(suggestion("a\n", "a\nx", "a\ny\n") == "a\ny\nx")
        #expect(suggestion("a\n", "a\nx", "a\ny") == nil)
    }

    @Test("Words inserted at one place do not grow together")
    func insertedWords() {
        #expect(suggestion("the cat\n", "the red cat\n", "the big cat\n") == "the big red cat\n")
        #expect(suggestion("f()\n", "f(a)\n", "f(b)\n") == nil)
    }

    @Test("A conflict too long to read through has no suggestion")
    func longConflict() {
        let line = String(repeating: "word ", count: 80_000)
        #expect(suggestion("a \(line)\n", "b \(line)\n", "a \(line)c\n") == nil)
    }
}
