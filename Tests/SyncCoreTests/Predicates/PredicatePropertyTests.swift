import Foundation
import SyncCore
import Testing

/// parse → text → parse is stable, and what comes out has the same answer for every object.
///
/// A few are tried of each; `scripts/predicate-properties` tries 100 objects for every case and for
/// 10,000 generated predicates.
@Suite struct PredicatePropertyTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["PREDICATE_ROUNDS"].flatMap { Int($0) }
    private static let objectCount = rounds == nil ? 8 : 100

    @Test func everyCaseMeansTheSameAgain() throws {
        for row in PredicateCase.all where row.expected != .parseError {
            let predicate = try PredicateParser.parse(
                format: Array(row.format.utf8), arguments: row.arguments)
            var objects = RandomObjects(like: row.object, seed: 1)
            try expectStable(
                predicate, objects.next(Self.objectCount) + [row.object], row.variables, row.id)
        }
    }

    @Test func everyGeneratedPredicateMeansTheSameAgain() throws {
        var generator = PredicateGenerator(seed: 4)
        let sample = PredicateCase.all[0].object
        for round in 0..<(Self.rounds ?? 100) {
            let predicate = generator.predicate(3)
            var objects = RandomObjects(like: sample, seed: UInt64(round))
            let variables = [Array("x".utf8): generator.value(1)]
            try expectStable(predicate, objects.next(Self.objectCount), variables, "round \(round)")
        }
    }

    private func expectStable(
        _ predicate: Tree, _ objects: [PredicateValue], _ variables: [[UInt8]: PredicateValue],
        _ name: String
    ) throws {
        let format = predicate.formatText
        let again = try PredicateParser.parse(format: format)
        let same = again == predicate && again.formatText == format
        #expect(same, "\(name): \(text(predicate)) became \(text(again))")
        // Neither the clock nor chance.
        let services = PredicateServices(
            matches: PredicateServices.foundation.matches, now: { 1 }, random: { 4 })
        let context = PredicateContext(services: services, variables: variables)
        for object in objects {
            let answers = [predicate, again].map { answer($0, object, context) }
            guard answers[0] != answers[1] else { continue }
            Issue.record("\(name): \(text(predicate)) of \(object): \(answers)")
            return
        }
    }

    private func answer(
        _ predicate: Tree, _ object: PredicateValue, _ context: PredicateContext
    ) -> String {
        do throws(PredicateEvaluationError) {
            return "\(try predicate.evaluation(of: object, in: context))"
        } catch {
            return "\(error)"
        }
    }
}

/// Objects with the keys of a sample and other values, or without some of them.
private struct RandomObjects {
    private let sample: PredicateValue
    private var generator: PredicateGenerator

    init(like sample: PredicateValue, seed: UInt64) {
        self.sample = sample
        generator = PredicateGenerator(seed: seed)
    }

    mutating func next(_ count: Int) -> [PredicateValue] { (0..<count).map { _ in next() } }

    private mutating func next() -> PredicateValue {
        guard case .dictionary(let entries) = sample else { return generator.value(2) }
        var result: [[UInt8]: PredicateValue] = [:]
        for (key, value) in entries.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            switch generator.roll(4) {
            case 0: result[key] = value
            case 1: result[key] = generator.value(2)
            case 2: result[key] = entries.values.randomElement(using: &generator.random)
            default: break
            }
        }
        return .dictionary(result)
    }
}
