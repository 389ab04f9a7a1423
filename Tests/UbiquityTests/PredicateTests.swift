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

    @Test func objectsInAPredicateAreThemselves() {
        let grace = ada.friends[0]
        let isGrace = NSPredicate(format: "SELF == %@", grace)
        #expect(isGrace.evaluate(with: grace))
        #expect(!isGrace.evaluate(with: ada))
        #expect(NSPredicate(format: "ANY friends == %@", grace).evaluate(with: ada))
        #expect(NSPredicate(format: "%@ IN friends", grace).evaluate(with: ada))
        #expect(!NSPredicate(format: "%@ IN friends", ada).evaluate(with: ada))
        let template = NSPredicate(format: "SELF IN $people")
        let among = template.withSubstitutionVariables(["people": [ada, grace]])
        #expect(among.evaluate(with: grace))
        #expect(!among.evaluate(with: ada.friends[1]))
        let either = NSCompoundPredicate(orPredicateWithSubpredicates: [
            isGrace, NSPredicate(format: "SELF == %@", ada),
        ])
        #expect(either.evaluate(with: ada) && either.evaluate(with: grace))
        #expect(!either.evaluate(with: ada.friends[1]))
        let url = URL(filePath: "/a")
        #expect(NSPredicate(format: "SELF == %@", url as NSURL).evaluate(with: url))
    }

    @Test(arguments: [
        ("SELF.a == 1", true), ("@count == 2", true), ("ANYKEY == 2", true),
        ("SELF == %@", true), ("self.b == 2", true), ("c == nil", true), ("b > a", true),
    ])
    func dictionariesAreAsked(_ format: String, _ wanted: Bool) {
        let object = ["a": 1, "b": 2]
        let predicate = NSPredicate(format: format, object)
        #expect(predicate.evaluate(with: object) == wanted)
        #expect(predicate.evaluate(with: NSDictionary(dictionary: object)) == wanted)
    }

    @Test func comparisonsAreMadeOfExpressions() throws {
        let comparison = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "friends.name"),
            rightExpression: NSExpression(forConstantValue: "grace"), modifier: .any,
            type: .beginsWith, options: [.caseInsensitive])
        #expect(comparison.evaluate(with: ada))
        #expect(comparison.formatText == "ANY friends.name BEGINSWITH[c] \"grace\"")
        #expect(comparison.predicateOperatorType.rawValue == 8)
        let text = NSPredicate(format: "age BETWEEN {1, $x}")
        let parts = try #require(NSComparisonPredicate(comparisonOf: text))
        #expect(parts.leftExpression.keyPath == "age")
        #expect(parts.rightExpression.expressionType == .aggregate)
        #expect(parts.predicateOperatorType == .between)
        #expect(NSComparisonPredicate(comparisonOf: NSPredicate(format: "NOT a == 1")) == nil)
        #expect(NSComparisonPredicate(comparisonOf: NSPredicate { _, _ in true }) == nil)
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [comparison, text])
        #expect(both.evaluate(with: ada, substitutionVariables: ["x": 50]))
    }

    @Test func expressionsHaveValuesAndParts() throws {
        let context: NSMutableDictionary = ["x": 5]
        let sum = NSExpression(
            forFunction: "sum:", arguments: [NSExpression(forAggregate: [1, 2, 3])])
        #expect(sum.expressionValue(with: nil, context: nil) as? Int == 6)
        #expect(sum.function == "sum:")
        let variable = NSExpression(forVariable: "x")
        #expect(variable.expressionValue(with: nil, context: context) as? Int == 5)
        #expect(variable.expressionValue(with: nil, context: nil) == nil)
        let young = NSExpression(
            forSubquery: NSExpression(forKeyPath: "friends"), usingIteratorVariable: "f",
            predicate: NSPredicate(format: "$f.age < 50"))
        let found = young.expressionValue(with: ada, context: nil) as? [Person]
        #expect(found?.first === ada.friends[1])
        #expect(young.formatText == "SUBQUERY(friends, $f, $f.age < 50)")
        let set = NSExpression(
            forUnionSet: NSExpression(forAggregate: [1, 2]),
            with: NSExpression(forConstantValue: [2, 3]))
        #expect(set.expressionValue(with: nil, context: nil) as? [Int] == [1, 2, 3])
        #expect(set.left?.expressionType == .constantValue)
        let word = NSExpression(
            forConditional: NSPredicate(format: "age > 18"),
            trueExpression: NSExpression(forConstantValue: "adult"),
            falseExpression: NSExpression(forConstantValue: "child"))
        #expect(word.expressionValue(with: ada, context: nil) as? String == "adult")
        #expect(word.false?.constantValue as? String == "child")
        let itself = NSExpression.expressionForEvaluatedObject()
        #expect(itself.expressionValue(with: ada, context: nil) as? Person === ada)
        #expect(NSExpression(format: "a.b") == NSExpression(forKeyPath: "a.b"))
    }

    @Test func aWrongFormatEndsTheProgramWithThePlace() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = NSPredicate(format: "name == ")
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("expected an expression at byte 8"))
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
