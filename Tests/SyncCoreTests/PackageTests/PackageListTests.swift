import SyncCore
import Testing

@Suite struct PackageListTests {
    @Test func aPackageComesBackFromItsBytes() throws {
        let link = member("link", .link, size: 3)
        let list = try #require(
            PackageList(
                [
                    member("a", .folder), member("a-b", size: 2), member("a/\u{e9}", size: 0),
                    member("a/e\u{301}", .folder), link,
                ].sorted { isPath($0.path, before: $1.path) }))
        let contents: [[UInt8]] = list.members.map { Array(repeating: 7, count: Int($0.size)) }
        let content = try #require(PackageContent(list, contents: contents))
        #expect(PackageContent(bytes: content.bytes) == content)
        #expect(list.contentSize == UInt64(content.bytes.count))
        #expect(list.sections == [UInt64(list.count), 2, 3])
        #expect(PackageList.count(of: Array(content.bytes.prefix(13))) == list.count)
        #expect(PackageList(front: content.bytes) == list)
    }

    @Test func anEmptyPackageIsOne() {
        #expect(PackageContent(bytes: package([:]))?.list.members.isEmpty == true)
    }

    @Test(arguments: [
        ["b", "a"], ["a", "a"], ["/a"], ["a/"], ["a//b"], [".."], ["a/../b"], ["."], [""],
        ["a/b"], ["\u{0}"], [String(repeating: "x", count: 256)],
    ])
    func whatNoFolderCanHoldIsNoList(_ paths: [String]) {
        #expect(PackageList(paths.map { member($0) }) == nil)
    }

    /// A file has nothing in it.
    @Test func aFolderComesBeforeWhatIsInIt() {
        #expect(PackageList([member("a"), member("a/b")]) == nil)
        #expect(PackageList([member("a", .folder), member("a/b")]) != nil)
    }

    @Test func sizesThatNoNumberHoldsAreRefused() {
        let huge = PackageMember(
            path: [0x61], kind: .file, mode: 0o644, modified: FileTime(seconds: 0, nanoseconds: 0),
            size: .max)
        #expect(PackageList([huge]) == nil)
    }

    /// A reader answers any bytes with a value or nothing, and writes a value as it was.
    @Test func damagedBytesAreReadAsNothingOrAsThemselves() {
        var random = SystemRandomNumberGenerator()
        let whole = package(["text.md": "hello", "assets/a.png": "x", "info.json": "{}"])
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.removeLast(Int.random(in: 0...min(9, bytes.count), using: &random))
                case 1:
                    let at = Int.random(in: 0..<max(1, bytes.count), using: &random)
                    if at < bytes.count { bytes[at] = .random(in: 0...255, using: &random) }
                default: bytes.append(.random(in: 0...255, using: &random))
                }
            }
            guard let content = PackageContent(bytes: bytes) else { continue }
            #expect(content.bytes == bytes)
        }
    }

    @Test func theNewestTimeIsThePackages() {
        let list = PackageList([
            member(Array("a".utf8), .file, 0o644, -9), member(Array("b".utf8), .file, 0o644, -3),
        ])
        #expect(list?.newest == FileTime(seconds: -3, nanoseconds: 5))
        #expect(PackageList([])?.newest == FileTime(seconds: 0, nanoseconds: 0))
    }

    @Test func endingsTellWhatIsAPackage() throws {
        func name(_ text: String) throws -> Name { try #require(Name(text)) }
        let types = PackageTypes.standard
        #expect(types.contains(try name("a.textbundle")))
        #expect(types.contains(try name("A.RTFD")))
        #expect(types.merges(try name("a.TextBundle")))
        #expect(!types.merges(try name("a.rtfd")))
        for other in [".textbundle", "textbundle", "a.textbundle.bak", "a.", "a.rtf"] {
            #expect(!types.contains(try name(other)))
        }
        let more = types.adding(
            PackageTypes([try #require(.init(Array("Sketch".utf8)))], merging: []))
        #expect(more.contains(try name("x.sketch")))
        #expect(more.contains(try name("x.rtfd")))
        #expect(PackageTypes.Ending(Array("a.b".utf8)) == nil)
    }
}
