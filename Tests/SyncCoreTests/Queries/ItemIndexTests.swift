import Testing

@testable import SyncCore

@Suite struct ItemIndexTests {
    @Test func blocksHoldTheirOrder() {
        var random = SeededGenerator(state: 5)
        var blocks = SortedBlocks(sorted: Array(0..<600).map { $0 * 2 })
        var plain = Array(0..<600).map { $0 * 2 }
        for _ in 0..<4000 {
            let value = Int.random(in: 0..<1500, using: &random)
            if Bool.random(using: &random) {
                blocks.insert(value)
                plain.append(value)
            } else if let place = plain.firstIndex(of: value) {
                blocks.remove(value)
                plain.remove(at: place)
            } else {
                blocks.remove(value)
            }
        }
        plain.sort()
        for (low, high) in [(0, 1500), (100, 200), (7, 7), (1400, 2000), (300, 200)] {
            let start = blocks.firstPlace { $0 >= low }
            let end = blocks.firstPlace { $0 > high }
            var found: [Int] = []
            blocks.forEach(from: start, to: end) { found.append($0) }
            let wanted = low <= high ? plain.filter { $0 >= low && $0 <= high } : []
            #expect(found == wanted)
            #expect(blocks.count(from: start, to: end) == wanted.count)
        }
    }

    /// Whatever changes, no item is missed for which the predicate is true.
    @Test func candidatesAreAllThatMatch() throws {
        var random = SeededGenerator(state: 6)
        var items = QueriedItem.samples(200, &random)
        var index = ItemIndex(items.map { ($0.id, $0.keys) })
        for round in 0..<100 {
            change(&items, &index, &random)
            let format = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                "(\(QueriedItem.conditions.randomElement(using: &random)!))"
            }.joined(separator: [" AND ", " OR "].randomElement(using: &random)!)
            let predicate = try parse(format)
            guard let candidates = index.candidates(predicate.indexConstraints) else { continue }
            let matches = items.filter { predicate.evaluate(with: $0) }.map(\.id)
            #expect(Set(matches).isSubset(of: candidates), "round \(round): \(format)")
            #expect(candidates == Set(candidates).sorted())
        }
    }

    private func change(
        _ items: inout [QueriedItem], _ index: inout ItemIndex, _ random: inout SeededGenerator
    ) {
        for _ in 0..<5 {
            let place = Int.random(in: 0..<items.count, using: &random)
            var replaced = QueriedItem.sample(random.next(), &random)
            if Bool.random(using: &random) { replaced.id = items[place].id }
            if replaced.id != items[place].id { index.set(items[place].id, nil) }
            items[place] = replaced
            index.set(replaced.id, replaced.keys)
        }
        #expect(index.count == Set(items.map(\.id)).count)
    }

    @Test(arguments: [
        ("kMDItemFSName == 'note 70000.md'", 1), ("kMDItemFSName BEGINSWITH 'note 9999'", 11),
        ("kMDItemFSName IN {'note 1.md', 'note 2.md', 'gone', 5}", 2),
        ("kMDItemFSSize > 99989", 10), ("kMDItemFSSize BETWEEN {5, 9.5}", 5),
        ("kMDItemFSSize == 7.0", 1), ("kMDItemFSSize < -1", 0),
        ("kMDItemFSContentChangeDate >= CAST(99990, 'NSDate')", 10),
        ("kMDItemFSName BEGINSWITH 'note' AND kMDItemFSSize < 10", 10),
        ("kMDItemFSName LIKE 'note 1234?.md' AND kMDItemFSSize > 0", 11),
        ("kMDItemDisplayName == 'note 8'", 1), ("kMDItemFSSize > 'x'", 0),
    ])
    func onlyWhatMayMatchIsLookedAt(_ format: String, _ wanted: Int) throws {
        let candidates = try #require(
            Self.large.candidates(try parse(format).indexConstraints), "\(format)")
        #expect(candidates.count == wanted)
    }

    @Test func withoutAnIndexedConditionThereAreNone() throws {
        for format in ["kMDItemFSName LIKE '*.md'", "kMDItemPath == 'a'", "TRUEPREDICATE"] {
            #expect(Self.large.candidates(try parse(format).indexConstraints) == nil)
        }
    }

    private static let large = ItemIndex(
        (0..<100_000).map { number in
            let keys = ItemKeys(
                folder: .top, name: Name("note \(number).md")!, size: UInt64(number),
                changed: FileTime(seconds: 978_307_200 + Int64(number), nanoseconds: 0))
            return (ItemID(high: 1, low: UInt64(number)), keys)
        })
}

extension QueriedItem {
    var keys: ItemKeys { ItemKeys(folder: .top, name: Name(name)!, size: size, changed: changed) }

    static func samples(_ count: Int, _ random: inout SeededGenerator) -> [QueriedItem] {
        (0..<count).map { sample(UInt64($0), &random) }
    }

    static func sample(_ number: UInt64, _ random: inout SeededGenerator) -> QueriedItem {
        let names = ["a", "a.md", "ab.md", "A.md", "b.txt", ".md", "a.", "é.md"]
        return QueriedItem(
            id: ItemID(high: 0, low: number),
            path: Array("/box/Documents/\(names.randomElement(using: &random)!)".utf8),
            kind: .file, size: [0, 1, 2, 3, .max].randomElement(using: &random)!,
            changed: FileTime(
                seconds: 978_307_200 + Int64.random(in: -2...2, using: &random),
                nanoseconds: [0, 1, 999_999_999].randomElement(using: &random)!),
            hasConflict: Bool.random(using: &random), isUploaded: Bool.random(using: &random),
            isUploading: false, isDownloading: Bool.random(using: &random),
            isHere: Bool.random(using: &random))
    }

    static let conditions = [
        "kMDItemFSName == 'a.md'", "kMDItemFSName BEGINSWITH 'a'", "kMDItemFSName IN {'a', 'b'}",
        "kMDItemFSName IN {'A.md', 3, 'a'}", "kMDItemFSName LIKE '?.md'", "kMDItemFSName > 'a'",
        "kMDItemFSName ==[c] 'A.MD'", "kMDItemDisplayName == 'a'",
        "kMDItemDisplayName BEGINSWITH 'a'", "kMDItemFSSize == 1", "kMDItemFSSize > 1",
        "kMDItemFSSize <= 1.5", "2 > kMDItemFSSize", "kMDItemFSSize BETWEEN {1, 2}",
        "kMDItemFSSize == YES", "kMDItemFSSize < 1e30", "kMDItemFSSize > 'x'",
        "kMDItemFSContentChangeDate > CAST(0, 'NSDate')",
        "kMDItemFSContentChangeDate <= CAST(0.999999999, 'NSDate')",
        "kMDItemFSContentChangeDate BETWEEN {CAST(-1, 'NSDate'), CAST(1, 'NSDate')}",
        "kMDItemPath CONTAINS 'a'", "kMDItemFSName MATCHES 'a'", "NOT kMDItemFSSize == 1",
        "NSMetadataUbiquitousItemHasUnresolvedConflictsKey == YES",
        "NSMetadataUbiquitousItemDownloadingStatusKey ENDSWITH 'Current'",
        "ANY kMDItemContentTypeTree == 'public.text'", "length(kMDItemFSName) == 4",
        "kMDItemContentType == 'net.daringfireball.markdown'", "missing == nil",
    ]
}
