import SyncCore
import Testing

/// The program dies at bad moments, and the disk changes at worse ones.
@Suite struct CrashTests {
    private func isInstall(_ action: ReplicaAction) -> Bool {
        if case .install = action { return true }
        return false
    }

    private func isPark(_ action: ReplicaAction) -> Bool {
        if case .install(let job) = action, case .park = job.task { return true }
        return false
    }

    private func isUnpark(_ action: ReplicaAction) -> Bool {
        if case .install(let job) = action, case .unpark = job.task { return true }
        return false
    }

    private func isSend(_ action: ReplicaAction) -> Bool {
        if case .send = action { return true }
        return false
    }

    /// Hazard 31: v1 is on the disk, unrecorded, and v2 is accepted meanwhile.
    @Test(arguments: [true, false])
    func anInstallThatWasNotRecordedIsNoEdit(newerVersion: Bool) {
        let world = TestWorld(["photo": "0"])
        world.b.dies = isInstall
        world.a.edit("photo", "1")
        world.settle()
        #expect(world.b.replica == nil)
        #expect(world.b.read("photo") == "1")
        if newerVersion {
            world.a.edit("photo", "2")
            world.settle()
        }
        world.b.start()
        world.settle()
        #expect(world.conflicts == 0)
        #expect(world.b.read("photo") == (newerVersion ? "2" : "1"))
        world.finish()
    }

    @Test func aModeThatWasNotRecordedIsNoEdit() {
        let world = TestWorld(["F/": ""])
        world.b.dies = isInstall
        world.a.setMode(0o700, of: "F")
        world.settle()
        #expect(world.b.replica == nil)
        let length = world.cloud.length
        world.b.start()
        world.settle()
        #expect(world.cloud.length == length)
        world.finish()
    }

    /// Who read it between the crash and the start is not known.
    @Test func anInstallThatWasNotRecordedCountsAsRead() {
        let world = TestWorld(["photo": "0"])
        world.b.dies = isInstall
        world.a.edit("photo", "1")
        world.settle()
        world.b.start()
        world.settle()
        world.b.write("photo", "2")
        world.settle()
        #expect(world.conflicts == 0)
        #expect(world.a.read("photo") == "2")
        world.finish()
    }

    @Test(arguments: [true, false])
    func aNewFileThatWasNotRecordedIsNoSecondHead(newerVersion: Bool) {
        let world = TestWorld()
        world.b.dies = isInstall
        world.a.write("photo", "0")
        world.settle()
        #expect(world.b.replica == nil)
        if newerVersion {
            world.a.edit("photo", "1")
            world.settle()
        }
        world.b.start()
        world.settle()
        #expect(world.conflicts == 0)
        #expect(world.b.read("photo") == (newerVersion ? "1" : "0"))
        world.finish()
    }

    /// Hazards 31 and 32 at once: what was installed reads back otherwise than it was given.
    @Test func anInstallThatWasNotRecordedOnADiskThatClamps() {
        let world = TestWorld(["script": "0"])
        world.b.disk.clamp = { if $0.kind == .file { $0.mode = 0o644 } }
        world.b.dies = isInstall
        world.a.edit("script", "1")
        world.a.setMode(0o755, of: "script")
        world.settle()
        world.b.start()
        world.settle()
        #expect(world.conflicts == 0)
        #expect(world.a.disk.files[world.a.inode("script")]?.mode == 0o755)
        world.finish()
    }

    @Test func aFolderThatWasNotRecordedIsTheFolder() {
        let world = TestWorld()
        world.b.dies = isInstall
        world.a.makeFolder("F")
        world.a.write("F/in", "1")
        world.settle()
        #expect(world.b.replica == nil)
        world.b.start()
        world.settle()
        #expect(world.b.tree == ["F/": "", "F/in": "1"])
        world.finish()
    }

    @Test func aRemovalThatWasNotRecordedIsDone() {
        let world = TestWorld(["n": "0"])
        world.b.dies = isInstall
        world.a.remove("n")
        world.settle()
        world.b.start()
        world.settle()
        #expect(world.b.tree == [:])
        world.finish()
    }

    /// A removal that was not recorded, and the item has come back meanwhile.
    @Test func aRemovalThatWasNotRecordedTakesNothingThatCameBack() {
        let world = TestWorld(["n": "0"])
        world.a.goOffline()
        world.a.edit("n", "a")
        world.settle()
        // A third device's deletion, by way of B's own.
        world.b.remove("n")
        world.settle()
        world.b.dies = isInstall
        world.a.goOnline()
        world.settle()
        world.b.start()
        world.settle()
        #expect(world.b.tree == ["n": "a"])
        world.finish()
    }

    @Test func aMoveThatWasNotRecordedIsDone() {
        let world = TestWorld(["n": "0", "F/": ""])
        world.b.dies = isInstall
        world.a.move("n", to: "F/m")
        world.settle()
        #expect(world.b.read("F/m") == "0")
        world.b.start()
        world.settle()
        #expect(world.b.tree == ["F/": "", "F/m": "0"])
        world.finish()
    }

    @Test func aMoveThatWasNotRecordedAndWasUndoneMeanwhile() {
        let world = TestWorld(["n": "0", "F/": ""])
        world.b.dies = isInstall
        world.a.move("n", to: "F/m")
        world.settle()
        world.a.move("F/m", to: "k")
        world.settle()
        world.b.start()
        world.settle()
        #expect(world.b.tree.values.contains("0"))
        #expect(world.conflicts == 0)
        world.finish()
    }

    // MARK: Parking

    /// The file is put aside; the program dies before that is recorded, or before it comes back.
    @Test(arguments: [0, 1, 2, 3]) func aCrashInASwapLosesNothing(moment: Int) {
        let world = TestWorld(["a": "1", "b": "2"])
        switch moment {
        case 0: world.b.diesBefore = isPark
        case 1: world.b.dies = isPark
        case 2: world.b.diesBefore = isUnpark
        default: world.b.dies = isUnpark
        }
        world.a.swap("a", "b")
        world.settle()
        #expect(world.b.replica == nil)
        world.b.start()
        world.settle()
        #expect(world.b.tree == ["a": "2", "b": "1"])
        #expect(world.trash.isEmpty)
        #expect(world.conflicts == 0)
        world.finish()
    }

    @Test(arguments: [0, 1, 2, 3]) func aCrashInASwapOfFoldersLosesNothing(moment: Int) {
        let world = TestWorld(["F/": "", "F/x": "1", "G/": "", "G/y": "2"])
        switch moment {
        case 0: world.b.diesBefore = isPark
        case 1: world.b.dies = isPark
        case 2: world.b.diesBefore = isUnpark
        default: world.b.dies = isUnpark
        }
        world.a.swap("F", "G")
        world.settle()
        #expect(world.b.replica == nil)
        world.b.start()
        world.settle()
        #expect(world.b.tree == ["F/": "", "F/y": "2", "G/": "", "G/x": "1"])
        #expect(world.trash.isEmpty)
        world.finish()
    }

    /// While a file is put aside, the other device deletes it.
    @Test func whatIsPutAsideIsDeletedMeanwhile() {
        let world = TestWorld(["a": "1", "b": "2"])
        world.b.diesBefore = isUnpark
        world.a.swap("a", "b")
        world.settle()
        world.a.remove("a")
        world.settle()
        world.a.remove("b")
        world.settle()
        world.b.start()
        world.settle()
        #expect(world.b.tree == [:])
        world.finish()
    }

    /// While a file is put aside, the other device edits it and moves it on.
    @Test func whatIsPutAsideIsEditedMeanwhile() {
        let world = TestWorld(["a": "1", "b": "2"])
        world.b.diesBefore = isUnpark
        world.a.swap("a", "b")
        world.settle()
        world.a.edit("a", "2!")
        world.a.edit("b", "1!")
        world.a.move("b", to: "c")
        world.settle()
        world.b.start()
        world.settle()
        #expect(world.b.tree == ["a": "2!", "c": "1!"])
        #expect(world.conflicts == 0)
        world.finish()
    }

    // MARK: Sending

    @Test(arguments: [true, false]) func aCrashAroundASendLosesNothing(before: Bool) {
        let world = TestWorld(["n": "0"])
        if before { world.a.diesBefore = isSend } else { world.a.dies = isSend }
        world.a.edit("n", "1")
        world.settle()
        #expect(world.a.replica == nil)
        world.a.start()
        world.settle()
        #expect(world.b.read("n") == "1")
        #expect(world.cloud.history(of: world.b.item("n") ?? "none").count == 2)
        world.finish()
    }

    /// The operation is in the log, the device has died before the answer, and edits again.
    @Test func anEditAfterACrashBeforeTheAnswerIsNoConflict() {
        let world = TestWorld(["n": "0"])
        world.a.edit("n", "1")
        world.a.watch()
        #expect(world.a.exchange())
        world.a.crash()
        world.a.write("n", "2")
        world.a.start()
        world.settle()
        #expect(world.texts("n") == ["2"])
        world.finish()
    }

    /// Edits, renames and new files of a device that dies at every single step.
    @Test(arguments: 0..<40) func aCrashAfterAnyActionLosesNothing(step: Int) {
        let world = TestWorld(["a": "1", "b": "2", "F/": "", "F/x": "3"])
        var count = 0
        for device in world.devices {
            device.dies = { _ in
                count += 1
                return count == step
            }
        }
        world.a.swap("a", "b")
        world.a.edit("F/x", "3!")
        world.a.move("F", to: "G")
        world.a.makeFolder("H")
        world.a.write("H/new", "new")
        world.settle()
        for device in world.devices where device.replica == nil {
            device.dies = nil
            device.start()
        }
        world.settle()
        let tree = [
            "a": "2", "b": "1", "G/": "", "G/x": "3!", "H/": "", "H/new": "new",
        ]
        #expect(world.a.tree == tree)
        #expect(world.b.tree == tree)
        #expect(world.conflicts == 0)
        #expect(world.trash.isEmpty)
        world.finish()
    }

    // MARK: The disk moves under an install

    /// Hazard 30: a save between the decision and the swap.
    @Test func aSaveWhileAnInstallIsUnderWayIsKept() {
        let world = TestWorld(["n": "0"])
        world.b.beforeInstall = { world.b.write("n", "b") }
        world.a.edit("n", "a")
        world.settle()
        #expect(Set(world.texts("n")) == ["a", "b"])
        world.finish()
    }

    @Test func aSaveByRenameWhileAnInstallIsUnderWayIsKept() {
        let world = TestWorld(["n": "0"])
        world.b.beforeInstall = { world.b.saveByRename("n", "b", through: "n.tmp") }
        world.a.edit("n", "a")
        world.settle()
        #expect(Set(world.texts("n")) == ["a", "b"])
        world.finish()
    }

    @Test func aNewFileUnderTheNameOfAnInstallIsKept() {
        let world = TestWorld()
        world.b.beforeInstall = { world.b.write("n", "b") }
        world.a.write("n", "a")
        world.settle()
        #expect(Set(world.texts("n")) == ["a", "b"])
        world.finish()
    }

    @Test func aSaveWhileARemovalIsUnderWayIsKept() {
        let world = TestWorld(["n": "0"])
        world.b.beforeInstall = { world.b.edit("n", "b") }
        world.a.remove("n")
        world.settle()
        #expect(world.a.tree == ["n": "b"])
        world.finish()
    }

    @Test func aRemovalWhileAnInstallIsUnderWay() {
        let world = TestWorld(["n": "0"])
        world.b.beforeInstall = { world.b.remove("n") }
        world.a.edit("n", "a")
        world.settle()
        #expect(world.a.tree == ["n": "a"], "an edit beats a deletion")
        world.finish()
    }

    @Test func aRenameWhileAnInstallIsUnderWay() {
        let world = TestWorld(["n": "0"])
        world.b.beforeInstall = { world.b.move("n", to: "m") }
        world.a.edit("n", "a")
        world.settle()
        #expect(world.a.tree == ["m": "a"])
        world.finish()
    }

    @Test func aNewFileWhileAFolderIsRemoved() {
        let world = TestWorld(["F/": "", "F/x": "1"])
        world.b.beforeInstall = { world.b.write("F/new", "new") }
        world.a.remove("F")
        world.settle()
        #expect(world.a.tree == ["F/": "", "F/new": "new"])
        world.finish()
    }

    @Test func aFileThatIsBeingWrittenIsReplacedLater() {
        let world = TestWorld(["n": "0"])
        world.b.busy = [world.b.inode("n")]
        world.a.edit("n", "a")
        world.settle(seconds: 5)
        #expect(world.b.read("n") == "0")
        world.b.busy = []
        world.settle()
        #expect(world.b.read("n") == "a")
        world.finish()
    }

    @Test func aFileThatIsBeingWrittenIsReadLater() {
        let world = TestWorld()
        world.a.write("n", "half")
        world.a.busy = [world.a.inode("n")]
        world.settle(seconds: 30)
        #expect(world.b.tree == [:])
        world.a.write("n", "whole")
        world.a.busy = []
        world.settle()
        #expect(world.b.tree == ["n": "whole"])
        world.finish()
    }

    @Test func aFileThatIsWrittenForEverIsSentAtLast() {
        let world = TestWorld()
        world.a.write("log", "one")
        world.a.busy = [world.a.inode("log")]
        world.settle(seconds: 50)
        #expect(world.b.tree == [:])
        world.settle(seconds: 15)
        #expect(world.b.tree == ["log": "one"])
        world.a.edit("log", "one two")
        world.settle(seconds: 50)
        #expect(world.b.tree == ["log": "one"])
        world.settle(seconds: 15)
        #expect(world.b.tree == ["log": "one two"])
        world.a.busy = []
        world.finish()
    }
}
