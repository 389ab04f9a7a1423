import Foundation
import Testing

@testable import SyncCore

@Suite struct PredicateFoldingTests {
    @Test(
        arguments: [
            ("ÄÖÜ", "äöü", PredicateOptions.caseInsensitive),
            ("straße", "STRASSE", .caseInsensitive),
            ("ΟΔΟΣ", "οδος", .caseInsensitive), ("ПРАВДА", "правда", .caseInsensitive),
            ("ı", "ı", .caseInsensitive), ("Crème Brûlée", "Creme Brulee", .diacriticInsensitive),
            ("e\u{301}", "é", .diacriticInsensitive),
            ("İstanbul", "ISTANBUL", [.caseInsensitive, .diacriticInsensitive]),
            ("Việt Nam", "viet nam", [.caseInsensitive, .diacriticInsensitive]),
            ("ガ", "カ", .diacriticInsensitive),
            ("ǰ", "J", [.caseInsensitive, .diacriticInsensitive]),
        ] as [(String, String, PredicateOptions)])
    func equalAfterFolding(_ left: String, _ right: String, _ options: PredicateOptions) {
        let folded = PredicateFolding.fold(Array(left.utf8), options)
        #expect(folded == PredicateFolding.fold(Array(right.utf8), options))
    }

    @Test(
        arguments: [
            ("é", "e\u{301}", PredicateOptions.caseInsensitive), ("ø", "o", .diacriticInsensitive),
            ("i", "ı", [.caseInsensitive]), ("É", "e", .caseInsensitive),
            ("é", "É", .diacriticInsensitive),
            ("한", "하", .diacriticInsensitive), ("A", "a", [.caseInsensitive, .normalized]),
        ] as [(String, String, PredicateOptions)])
    func differentAfterFolding(_ left: String, _ right: String, _ options: PredicateOptions) {
        let folded = PredicateFolding.fold(Array(left.utf8), options)
        #expect(folded != PredicateFolding.fold(Array(right.utf8), options))
    }

    /// The table agrees with Foundation's decomposition, letter by letter.
    @Test func baseLettersAreThoseOfTheDecomposition() {
        var count = 0
        for value in UInt32(0x80)...0xffff {
            guard let base = PredicateDiacritics.base(value), let scalar = Unicode.Scalar(value)
            else {
                continue
            }
            count += 1
            let decomposed = String(Character(scalar)).decomposedStringWithCanonicalMapping
            #expect(decomposed.unicodeScalars.first?.value == base)
        }
        #expect(count > 900)
    }

    @Test func textSurvivesDecoding() {
        var generator = SeededGenerator(state: 5)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            var again: [UInt8] = []
            for scalar in PredicateScalars.decode(bytes) {
                PredicateScalars.append(scalar, to: &again)
            }
            #expect(again == bytes)
        }
    }

    @Test func roundingsAndRootsAreExact() {
        var generator = SeededGenerator(state: 6)
        for _ in 0..<1500 {
            let value = Double(bitPattern: generator.next())
            let small = Double.random(in: -1000...1000, using: &generator)
            #expect(same(ElementaryFunctions.squareRoot(value), value.squareRoot()))
            #expect(same(ElementaryFunctions.truncate(value), value.rounded(.towardZero)))
            #expect(same(ElementaryFunctions.floor(small), small.rounded(.down)))
            #expect(same(ElementaryFunctions.ceiling(small), small.rounded(.up)))
            let other = Double(bitPattern: generator.next())
            #expect(
                same(
                    ElementaryFunctions.remainder(value, other),
                    value.truncatingRemainder(dividingBy: other)), "\(value) \(other)")
        }
    }

    @Test func logarithmsAndPowersAreClose() {
        var generator = SeededGenerator(state: 7)
        for _ in 0..<1500 {
            let value = Double.random(in: -700...700, using: &generator)
            let power = exp(value)
            #expect(abs(ElementaryFunctions.exponential(value) / power - 1) < 1e-15)
            #expect(
                abs(ElementaryFunctions.naturalLogarithm(power) - log(power)) <= 1e-15
                    * abs(log(power)))
            let exponent = Double.random(in: -5...5, using: &generator)
            let base = Double.random(in: 0...100, using: &generator)
            #expect(
                abs(ElementaryFunctions.power(base, exponent) / pow(base, exponent) - 1) < 1e-14)
        }
        for whole in -300..<300 {
            #expect(
                ElementaryFunctions.commonLogarithm(pow(10, Double(whole))) - Double(whole) < 1e-12)
        }
        #expect(ElementaryFunctions.commonLogarithm(1000) == 3)
        #expect(ElementaryFunctions.exponential(-746) == 0)
        #expect(ElementaryFunctions.exponential(709.5).isFinite)
        #expect(ElementaryFunctions.power(-8, 3) == -512)
        #expect(ElementaryFunctions.power(-8, 0.3).isNaN)
    }

    private func same(_ left: Double, _ right: Double) -> Bool {
        left == right || (left.isNaN && right.isNaN)
    }
}
