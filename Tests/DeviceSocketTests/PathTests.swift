import DeviceSocket
import Glibc
import Testing

@Suite struct PathTests {
    let temporary = TemporaryHome()
    let documents: String

    init() {
        documents = temporary.text + "/Containers/box/Documents"
        for folder in ["/Containers", "/Containers/box", "/Containers/box/Documents"] {
            mkdir(temporary.text + folder, 0o700)
        }
    }

    private func inside(_ path: String) -> String? {
        temporary.home.pathInContainers(Array(path.utf8)).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test func filesAreNamedFromTheContainers() {
        #expect(inside(documents + "/a b.txt") == "box/Documents/a b.txt")
        #expect(inside(documents) == "box/Documents")
        #expect(inside(documents + "/") == "box/Documents")
        #expect(inside(documents + "/.") == "box/Documents")
        #expect(inside(documents + "/..") == "box")
        #expect(inside(documents + "//x/../a") == "box/Documents/a")
        #expect(inside(temporary.text + "/Containers") == "")
    }

    @Test func whatLiesElsewhereIsOutside() {
        #expect(inside(temporary.text) == nil)
        #expect(inside(temporary.text + "/Containers2/a") == nil)
        #expect(inside(documents + "/../../../a") == nil)
        #expect(inside("/") == nil)
        #expect(inside("/no/such/place") == nil)
    }

    @Test func linksAboveAreFollowedAndTheNameItselfIsNot() {
        symlink(documents, temporary.text + "/short")
        symlink("/etc/hostname", documents + "/link")
        #expect(inside(temporary.text + "/short/a") == "box/Documents/a")
        #expect(inside(documents + "/link") == "box/Documents/link")
    }

    @Test func foldersThatAreGoneCanBeNamed() {
        #expect(inside(documents + "/gone/deep/a") == "box/Documents/gone/deep/a")
        #expect(inside(documents + "/gone/../a") == "box/Documents/a")
    }

    @Test func bytesThatAreNoTextStay() {
        let path = Array(documents.utf8) + [0x2F, 0xFF, 0xFE]
        let expected = Array("box/Documents/".utf8) + [0xFF, 0xFE]
        #expect(temporary.home.pathInContainers(path) == expected)
    }

    @Test func aHomeThatIsALinkIsTheSameHome() {
        symlink(temporary.text, temporary.text + "/alias")
        let alias = DeviceHome(temporary.text + "/alias/")
        #expect(
            alias.pathInContainers(Array((documents + "/a").utf8)) == Array("box/Documents/a".utf8))
    }
}
