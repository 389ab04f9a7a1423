import SyncCore
import Testing

@Suite("Merging: recorded cases")
struct MergeCasesTests {
    @Test("All cases are there")
    func casesAreThere() {
        #expect(MergeCase.all.count == 113)
        #expect(MergeCase.all.count { $0.ideal != nil && !$0.isCleanInGit } == 19)
    }

    @Test(
        "What git merges is merged to the same bytes, and nothing else is", arguments: MergeCase.all
    )
    func isAsInGit(_ example: MergeCase) {
        let result = TextMerge.merge(
            base: bytes(example.base), first: bytes(example.ours), second: bytes(example.theirs))
        if example.isCleanInGit {
            #expect(result == .merged(bytes(example.git.text)))
        } else if case .conflict(let regions) = result {
            #expect(!regions.isEmpty)
        } else {
            Issue.record("git has a conflict here")
        }
    }

    @Test("The order of the sides makes no difference", arguments: MergeCase.all)
    func isSymmetric(_ example: MergeCase) {
        expectSymmetricMerge(
            base: bytes(example.base), first: bytes(example.ours), second: bytes(example.theirs))
    }

    @Test("Words merge to the ideal where lines do not")
    func suggestionsReachIdeal() {
        let open = MergeCase.all.filter { $0.ideal != nil && !$0.isCleanInGit }
        for example in open {
            let suggestion = TextMerge.suggestion(
                base: bytes(example.base), first: bytes(example.ours),
                second: bytes(example.theirs))
            #expect(suggestion == example.ideal.map(bytes), "\(example.id)")
        }
    }

    @Test("A suggestion has every inserted word", arguments: MergeCase.all)
    func suggestionLosesNoWord(_ example: MergeCase) {
        expectWholeSuggestion(
            base: bytes(example.base), first: bytes(example.ours), second: bytes(example.theirs))
    }

    @Test(
        "Who deleted what another edited gets no suggestion",
        arguments: MergeCase.all.filter { $0.kind == "delete-vs-edit" || $0.kind == "same-word" })
    func hardConflictsHaveNoSuggestion(_ example: MergeCase) {
        let suggestion = TextMerge.suggestion(
            base: bytes(example.base), first: bytes(example.ours), second: bytes(example.theirs))
        #expect(suggestion == nil)
    }
}
