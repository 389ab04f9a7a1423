import Foundation
import Testing
import Ubiquity

/// The examples of `Docs/Predicates.md`.
@Suite struct PredicateGuideTests {
    @Test func fromATextToAnAnswer() {
        let long = NSPredicate(format: "words > %d AND title CONTAINS[cd] %@", 40, "menu")
        #expect(long.evaluate(with: ["words": 42, "title": "Menü"]))
        do {
            _ = try NSPredicate(validating: "words > ", arguments: [])
        } catch {
            #expect(error.offset == 8)
            #expect(error.expected == "an expression")
            print(error)
        }
    }

    @Test func objectsOfYourOwn() {
        struct Note: PredicateKeyed {
            var title: String
            var tags: [String]

            func predicateValue(forKey key: String) -> Any? {
                switch key {
                case "title": title
                case "tags": tags
                default: nil
                }
            }
        }
        let notes = [Note(title: "Fish", tags: ["food"]), Note(title: "Rent", tags: [])]
        let tagged = NSPredicate(format: "ANY tags BEGINSWITH 'fo'")
        #expect(notes.filter { tagged.evaluate(with: $0) }.count == 1)
    }

    @Test func whereThereIsNoAnswer() {
        let wrong = NSPredicate(format: "title < 3")
        #expect(!wrong.evaluate(with: ["title": "Fish"]))
        #expect(throws: PredicateFailure.self) { try wrong.evaluation(of: ["title": "Fish"]) }
    }

    @Test func variablesSortingParts() {
        let template = NSPredicate(format: "age BETWEEN {$from, $to}")
        let thirties = template.withSubstitutionVariables(["from": 30, "to": 39])
        #expect(thirties.evaluate(with: ["age": 36]))
        #expect(thirties.formatText == "age BETWEEN {30, 39}")

        let people = NSArray(array: [["age": 40], ["age": 31]])
        let byAge = NSSortDescriptor(key: "age", ascending: true)
        #expect((people.sortedArray(using: [byAge]).first as? [String: Int]) == ["age": 31])

        let adult = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "age"),
            rightExpression: NSExpression(forConstantValue: 18),
            modifier: .direct, type: .greaterThanOrEqualTo)
        #expect(adult.evaluate(with: ["age": 18]))
        let total = NSExpression(format: "price * count")
        let value = total.expressionValue(with: ["price": 3, "count": 4], context: nil)
        #expect(value as? Int == 12)
    }

    @Test func itemsInICloud() {
        let query = NSMetadataQuery()
        query.searchScopes = [NSMetadataQueryUbiquitousDocumentsScope]
        query.predicate = NSPredicate(
            format: "%K LIKE '*.md' AND kMDItemFSSize > 1000", NSMetadataItemFSNameKey)
        query.sortDescriptors = [
            NSSortDescriptor(key: NSMetadataItemFSContentChangeDateKey, ascending: false)
        ]
        #expect(query.predicate?.formatText?.hasSuffix("kMDItemFSSize > 1000") == true)
    }

    /// Each line of the guide's code stands above.
    @Test func theGuideIsCompiled() throws {
        let tests = URL(filePath: #filePath)
        let guide = tests.deletingLastPathComponent().appending(path: "../../Docs/Predicates.md")
        let here = Set(try lines(of: tests))
        let code = try lines(of: guide).split(separator: "```swift").dropFirst()
            .flatMap { $0.prefix { $0 != "```" } }
        #expect(code.count > 40)
        for line in code where !line.isEmpty { #expect(here.contains(line), "\(line)") }
    }

    private func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
