import SyncCore
import Testing

/// Packages that were changed apart.
@Suite struct PackageMergeTests {
    private func merge(
        _ base: [String: String]?, _ first: [String: String], _ second: [String: String],
        byMembers: Bool = true
    ) throws -> [String: String]? {
        let merge = PackageMerge(
            rule: .lines(), mergesMembers: byMembers,
            base: try base.map { try #require(PackageContent(bytes: package($0))) },
            first: try #require(PackageContent(bytes: package(first, modified: 2))),
            second: try #require(PackageContent(bytes: package(second, modified: 3))))
        return try merge.merged().map { try #require(texts(ofPackage: $0.bytes)) }
    }

    private let base = ["text.md": "1\n2\n3\n4\n5\n", "assets/a.png": "A\u{0}", "info.json": "{}"]

    private func with(_ changes: [String: String?]) -> [String: String] {
        var result = base
        for (path, text) in changes { result[path] = text }
        return result
    }

    @Test func textsMergeByLinesAndOtherMembersByThemselves() throws {
        let merged = try merge(
            base, with(["text.md": "one\n2\n3\n4\n5\n", "assets/b.png": "B\u{0}"]),
            with(["text.md": "1\n2\n3\n4\nfive\n", "assets/a.png": nil]))
        #expect(
            merged == [
                "text.md": "one\n2\n3\n4\nfive\n", "assets/b.png": "B\u{0}", "info.json": "{}",
            ])
    }

    @Test(
        arguments: [
            (["text.md": "x\n2\n3\n4\n5\n"], ["text.md": "y\n2\n3\n4\n5\n"]),
            (["assets/a.png": "B\u{0}"], ["assets/a.png": "C\u{0}"]),
            (["info.json": nil], ["info.json": "[]"]),
            (["new": "1"], ["new": "2"]),
            (["new": "1"], ["new/in": "2"]),
        ] as [([String: String?], [String: String?])])
    func oneMemberThatDoesNotMergeMakesThePackageTheConflict(
        _ first: [String: String?], _ second: [String: String?]
    ) throws {
        #expect(try merge(base, with(first), with(second)) == nil)
        #expect(try merge(base, with(second), with(first)) == nil)
    }

    /// Never a mixture of two packages of a type that is not listed.
    @Test func otherTypesMergeOnlyIfOneSideChangedNothing() throws {
        let one = with(["text.md": "x\n"])
        let other = with(["info.json": "[]"])
        #expect(try merge(base, one, other, byMembers: false) == nil)
        #expect(try merge(base, one, base, byMembers: false) == one)
        #expect(try merge(base, base, other, byMembers: false) == other)
        #expect(try merge(nil, one, one, byMembers: false) == one)
    }

    /// The folder is needed by what the other side put into it.
    @Test func aFolderThatOneSideEmptiedStaysForWhatTheOtherPutIn() throws {
        let merged = try merge(
            base, with(["assets/a.png": nil]), with(["assets/b.png": "B"]))
        #expect(merged == with(["assets/a.png": nil, "assets/b.png": "B"]))
    }

    @Test func modesAndTimesGoTheirOwnWay() throws {
        let old = try #require(PackageContent(bytes: package(["t": "1"], modified: 1)))
        let one = try #require(PackageContent(bytes: package(["t": "1"], modified: 1, mode: 0o600)))
        let two = try #require(PackageContent(bytes: package(["t": "2"], modified: 9)))
        for types in [true, false] {
            let merge = PackageMerge(
                rule: .lines(), mergesMembers: types, base: old, first: one, second: two)
            #expect(merge.merged() == two)
        }
    }

    @Test func withoutAnAncestorOnlyEqualPackagesMerge() throws {
        #expect(try merge(nil, base, base) == base)
        #expect(try merge(nil, base, with(["new": "x"])) == nil)
    }
}
