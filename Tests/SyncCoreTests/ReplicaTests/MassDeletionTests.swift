import SyncCore
import SyncStore
import Testing

/// So many deletions at once that a person is asked.
@Suite struct MassDeletionTests {
    let world: TestWorld
    var a: TestDevice { world.a }
    var b: TestDevice { world.b }
    private static let names = (0..<240).map { "n\($0)" }

    init() {
        world = TestWorld()
        for name in Self.names { world.a.write(name, name) }
        world.settle()
    }

    private func remove(_ count: Int) {
        for name in Self.names.prefix(count) { a.remove(name) }
        world.settle(seconds: 30)
    }

    private var unconfirmed: Int { a.replica?.status().unconfirmed ?? 0 }

    @Test func aHundredAreOrdinary() {
        remove(100)
        #expect(unconfirmed == 0)
        #expect(b.tree.count == 140)
        world.finish()
    }

    @Test func lessThanHalfAreOrdinary() {
        remove(115)
        #expect(unconfirmed == 0)
        #expect(b.tree.count == 125)
        world.finish()
    }

    @Test func beyondAHundredTheyWaitForTheirEnd() {
        for name in Self.names.prefix(115) { a.remove(name) }
        world.settle(seconds: 1)
        #expect(b.tree.count == 140, "a hundred are gone")
        world.settle(seconds: 3)
        #expect(b.tree.count == 125)
        world.finish()
    }

    @Test func whatCameBackIsCountedOnce() {
        for _ in 0..<2 {
            for name in Self.names.prefix(90) { a.remove(name) }
            world.settle(seconds: 5)
            for name in Self.names.prefix(90) { a.restore(name) }
            world.settle(seconds: 5)
            #expect(a.tree.count == 240)
        }
        for name in Self.names.prefix(90) { a.remove(name) }
        world.settle(seconds: 5)
        #expect(unconfirmed == 0)
        #expect(b.tree.count == 150)
        world.finish()
    }

    @Test func overHalfWaitForAPerson() {
        remove(200)
        #expect(unconfirmed > 0)
        #expect(b.tree.count > 100, "at most a hundred are gone")
        #expect(a.tree.count == 40, "they are not put back meanwhile")
        #expect(a.replica?.status().isInSync == false)
    }

    @Test func theyWaitAcrossARestart() {
        remove(200)
        let there = b.tree.count
        a.restart()
        world.settle()
        #expect(unconfirmed > 0)
        #expect(b.tree.count == there)
        #expect(a.tree.count == 40)
    }

    @Test func confirmedTheyGo() {
        remove(200)
        a.tell(.confirm(isMeant: true))
        world.settle()
        #expect(b.tree.count == 40)
        #expect(unconfirmed == 0)
        world.finish()
    }

    @Test func notMeantTheyComeBack() {
        remove(200)
        let kept = b.tree
        a.tell(.confirm(isMeant: false))
        world.settle()
        #expect(a.tree == kept)
        #expect(b.tree == kept)
        world.finish()
    }

    @Test func aFolderOfHalfOfAllWaitsToo() {
        a.makeFolder("F")
        for number in 0..<300 { a.write("F/m\(number)", "m") }
        world.settle()
        for number in 0..<300 { a.remove("F/m\(number)") }
        a.remove("F")
        world.settle(seconds: 30)
        #expect(unconfirmed > 0)
        #expect(b.tree["F/"] == "")
        a.tell(.confirm(isMeant: true))
        world.settle()
        #expect(b.tree.count == 240)
        world.finish()
    }

    @Test func aFileThatIsThereAgainWasNotDeleted() {
        let items = ["n150", "n151"].map { world.state($0)?.id }
        remove(200)
        a.write("n150", "n150")
        a.write("n151", "newer")
        world.settle(seconds: 30)
        a.tell(.confirm(isMeant: true))
        world.settle()
        #expect(b.tree["n150"] == "n150")
        #expect(b.tree["n151"] == "newer")
        #expect(b.tree.count == 42)
        #expect(world.conflicts == 0)
        #expect(["n150", "n151"].map { world.state($0)?.id } == items, "they are what they were")
        world.finish()
    }

    @Test func aFileThatIsThereAgainHasItsOwnModeAndTime() {
        remove(200)
        a.write("n150", "secret")
        a.setMode(0o600, of: "n150")
        a.setModified(1_000, of: "n150")
        world.settle()
        a.tell(.confirm(isMeant: true))
        world.settle()
        #expect(b.read("n150") == "secret")
        world.finish()
    }

    @Test func slowlyIsOrdinary() {
        for name in Self.names.prefix(200) {
            a.remove(name)
            world.settle(seconds: 2)
        }
        world.settle()
        #expect(unconfirmed == 0)
        #expect(b.tree.count == 40)
    }
}
