import Foundation
import Testing

@testable import Ubiquity

private final class Person: NSObject, PredicateKeyed {
    let name: String
    let age: Int
    let friends: [Person]

    init(_ name: String, _ age: Int, _ friends: [Person] = []) {
        (self.name, self.age, self.friends) = (name, age, friends)
    }

    func predicateValue(forKey key: String) -> Any? {
        switch key {
        case "name": name
        case "age": age
        case "friends": friends
        default: nil
        }
    }
}

private struct Point {
    var x: Int
    var label: String?
}

@Suite struct PredicateTests {
    private let ada = Person("Ada", 36, [Person("Grace", 85), Person("Alan", 41)])

    @Test(arguments: [
        ("name == 'Ada'", true), ("name ==[c] 'ADA'", true), ("age BETWEEN {30, 40}", true),
        ("name LIKE 'A*' AND age < 30", false), ("ANY friends.age > 80", true),
        ("friends.@count == 2", true), ("name MATCHES 'A[a-z]+'", true),
        ("name MATCHES 'A'", false), ("missing == nil", true),
        ("SUBQUERY(friends, $f, $f.age < 50).@count == 1", true),
    ])
    func objectsAreAskedForTheirKeys(format: String, expected: Bool) {
        #expect(NSPredicate(format: format).evaluate(with: ada) == expected)
    }

    @Test func argumentsOfManyTypesAreTaken() {
        let date = Date()
        #expect(NSPredicate(format: "%K == %@", "name", "Ada").evaluate(with: ada))
        #expect(NSPredicate(format: "age == %d", 36).evaluate(with: ada))
        #expect(NSPredicate(format: "age IN %@", [35, 36]).evaluate(with: ada))
        #expect(NSPredicate(format: "SELF == %@", date as NSDate).evaluate(with: date))
        #expect(NSPredicate(format: "age == %@", NSNumber(value: 36)).evaluate(with: ada))
        #expect(NSPredicate(format: "a == %@", argumentArray: ["x"]).evaluate(with: ["a": "x"]))
        #expect(NSPredicate(format: "x == 3").evaluate(with: Point(x: 3)))
        #expect(NSPredicate(format: "label == nil").evaluate(with: Point(x: 3)))
        let optional: Int? = 36
        #expect(NSPredicate(format: "age == %@", optional as Any).evaluate(with: ada))
    }

    @Test func variablesAreSubstituted() {
        let template = NSPredicate(format: "age > $limit")
        #expect(template.evaluate(with: ada, substitutionVariables: ["limit": 30]))
        #expect(!template.withSubstitutionVariables(["limit": 40]).evaluate(with: ada))
        #expect(throws: PredicateFailure.self) { try template.evaluation(of: ada) }
        #expect(!template.evaluate(with: ada))
    }

    @Test func compoundsKnowTheirTrees() {
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "age > 30"), NSPredicate(format: "name BEGINSWITH 'A'"),
        ])
        #expect(both.evaluate(with: ada))
        #expect(both.formatText == "age > 30 AND name BEGINSWITH \"A\"")
        #expect(NSPredicate { _, _ in true }.formatText == nil)
    }

    @Test func aWrongTextSaysWhere() {
        #expect { try NSPredicate(validating: "name ==") } throws: {
            ($0 as? PredicateFormatError)?.offset == 7
        }
    }

    @Test func sortDescriptorsHaveKeys() {
        let people = NSArray(array: [ada, Person("Grace", 85), Person("Alan", 41)])
        let byAge = NSSortDescriptor(key: "age", ascending: false)
        let sorted = people.sortedArray(using: [byAge]).compactMap { ($0 as? Person)?.name }
        #expect(sorted == ["Grace", "Alan", "Ada"])
        #expect(byAge.key == "age")
        let byName = NSSortDescriptor(key: "name", ascending: true)
        #expect(byName.compare(ada, to: Person("Alan", 1)) == .orderedAscending)
        let byLength = NSSortDescriptor(key: "name", ascending: true) { one, other in
            let counts = ((one as? String)?.count ?? 0, (other as? String)?.count ?? 0)
            return counts.0 < counts.1 ? .orderedAscending : .orderedDescending
        }
        #expect(byLength.compare(ada, to: Person("Al", 1)) == .orderedDescending)
    }
}
