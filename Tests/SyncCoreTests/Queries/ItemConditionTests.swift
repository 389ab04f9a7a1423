import SyncCore
import Testing

@Suite struct ItemConditionTests {
    @Test(arguments: [
        ("kMDItemFSName == 'a' AND kMDItemFSName MATCHES 'a'", "kMDItemFSName == \"a\""),
        ("kMDItemFSName MATCHES 'a' OR kMDItemFSSize > 1", "TRUEPREDICATE"),
        (
            "kMDItemFSSize > 1 OR (kMDItemFSSize < 0 AND now() > 0)",
            "kMDItemFSSize > 1 OR kMDItemFSSize < 0"
        ),
        ("NOT kMDItemFSName LIKE '*.md'", "NOT kMDItemFSName LIKE \"*.md\""),
        ("NOT kMDItemFSName MATCHES 'a'", "TRUEPREDICATE"),
        ("SELF == 1", "TRUEPREDICATE"), ("kMDItemFSName == $name", "TRUEPREDICATE"),
        ("kMDItemFSName ==[l] 'a'", "TRUEPREDICATE"),
        ("NSMetadataUbiquitousItemIsDownloadedKey == YES", "TRUEPREDICATE"),
        (
            "kMDItemFSSize == kMDItemFSSize AND kMDItemFSSize IN {1, 2}",
            "kMDItemFSSize == kMDItemFSSize AND kMDItemFSSize IN {1, 2}"
        ),
        ("SUBQUERY({1}, $x, $x == 1).@count == 1", "TRUEPREDICATE"),
    ])
    func theDaemonsPart(_ format: String, _ part: String) throws {
        let condition = ItemCondition.part(of: try parse(format))
        #expect(text(condition.predicate) == part)
        #expect(condition.isEmpty == (part == "TRUEPREDICATE"))
        #expect(ItemCondition(condition.predicate) == condition)
    }

    @Test func whatTheProgramDecidesIsNoCondition() throws {
        #expect(ItemCondition(try parse("kMDItemFSName MATCHES 'a'")) == nil)
        #expect(ItemCondition(try parse("kMDItemFSSize > random()")) == nil)
    }

    /// The part is true wherever the predicate is, also where something in it has no answer.
    @Test func noMatchIsLost() throws {
        var random = SeededGenerator(state: 9)
        let items = QueriedItem.samples(40, &random)
        var matches = 0
        for _ in 0..<80 {
            let predicate = try parse(Self.format(2, &random))
            let condition = ItemCondition.part(of: predicate)
            for item in items where predicate.evaluate(with: item, services: .foundation) {
                matches += 1
                #expect(condition.mayHold(for: item), "\(text(predicate))")
            }
        }
        #expect(matches > 100)
    }

    private static func format(_ depth: Int, _ random: inout SeededGenerator) -> String {
        guard depth > 0 else { return QueriedItem.conditions.randomElement(using: &random)! }
        let parts = (0..<3).map { _ in "(\(format(depth - 1, &random)))" }
        return parts.joined(separator: [" AND ", " OR "].randomElement(using: &random)!)
    }

    @Test(arguments: [
        ("a.md", "a"), ("a.b.md", "a.b"), (".md", ".md"), ("a.", "a."), ("a", "a"), ("é.x", "é"),
    ])
    func displayNamesHaveNoExtension(_ name: String, _ wanted: String) {
        #expect(QueriedItem.displayName(of: Array(name.utf8)) == Array(wanted.utf8))
    }

    @Test func typesConformToOthers() {
        #expect(UniformType.of(.file, named: Array("a.MD".utf8)) == "net.daringfireball.markdown")
        #expect(UniformType.of(.file, named: Array(".md".utf8)) == "public.data")
        #expect(UniformType.of(.folder, named: Array("a.md".utf8)) == "public.folder")
        #expect(UniformType.of(.package, named: Array("a.b".utf8)) == "com.apple.package")
        let markdown = Array("net.daringfireball.Markdown".utf8)
        #expect(UniformType.conforms(markdown, Array("public.text".utf8)))
        #expect(UniformType.conforms(markdown, Array("public.item".utf8)))
        #expect(!UniformType.conforms(markdown, Array("public.image".utf8)))
    }
}
