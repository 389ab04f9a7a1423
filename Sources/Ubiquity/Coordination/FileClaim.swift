import DeviceSocket
import Foundation
import Glibc

/// Files that a program reads or writes now or wants to, as all programs on this device see it.
///
/// A claim is a file with a number, which its process keeps locked: the kernel lets go of it when
/// the process ends, however it ends. Who has the lowest number of all claims that are in each
/// other's way goes first, so that everybody's turn comes.
final class FileClaim: Sendable {
    private let place: [UInt8]
    private let descriptor: Int32

    private init(place: [UInt8], descriptor: Int32) {
        self.place = place
        self.descriptor = descriptor
    }

    deinit {
        FileSystem.remove(place)
        FileSystem.close(descriptor)
    }

    /// What was wanted, and by whom: those of one purpose are not in each other's way.
    struct Wish: Hashable, Sendable {
        var purpose: [UInt8]
        var files: [ClaimedFile]

        func conflicts(with other: Wish) -> Bool {
            purpose != other.purpose
                && files.contains { file in other.files.contains(where: file.conflicts) }
        }
    }

    /// Waits until nobody is in the way.
    static func take(
        _ wish: Wish, in folder: [UInt8], _ patience: Patience
    ) throws -> FileClaim {
        try FileSystem.makePrivateFolders(folder)
        let table = ClaimTable(folder: folder)
        let (claim, number) = try table.locked(patience) { () throws(FileFailure) in
            try table.enter(wish)
        }
        let watch = ClaimWatch()
        // All others are looked at when the last one of those in the way is gone.
        while let blocker = try table.locked(
            patience, { () throws(FileFailure) in try table.blocker(of: number, wish) })
        {
            watch.follow(table.place(blocker))
            while try table.locked(
                patience, { () throws(FileFailure) in try table.living(blocker) != nil })
            {
                try watch.rest(patience, wish)
            }
        }
        return claim
    }

    fileprivate static func make(
        _ wish: Wish, at place: [UInt8]
    ) throws(FileFailure) -> FileClaim {
        let descriptor = try FileSystem.open(place, O_RDWR | O_CREAT | O_EXCL)
        let claim = FileClaim(place: place, descriptor: descriptor)
        try FileSystem.writeAll(Data(wish.bytes), to: descriptor, place)
        _ = try FileSystem.lockAtOnce(descriptor, LOCK_EX, place)
        return claim
    }
}

/// How long a coordinated call waits, and whether it still shall.
struct Patience: Sendable {
    var deadline: ContinuousClock.Instant
    var isCancelled: @Sendable () -> Bool = { false }

    /// Throws what the call ends with if it is to wait no more.
    func check(_ wish: FileClaim.Wish) throws {
        if isCancelled() { throw CocoaError(.userCancelled) }
        guard ContinuousClock.now < deadline else {
            let path = String(decoding: wish.files.first?.path ?? [], as: UTF8.self)
            throw CocoaError(
                .fileLocking,
                userInfo: [
                    NSFilePathErrorKey: path,
                    NSLocalizedDescriptionKey:
                        "another program or thread has \(path) in use and did not let go of it",
                ])
        }
    }
}

/// The folder of claims; what is in it is looked at and changed under one lock.
private struct ClaimTable {
    let folder: [UInt8]

    /// The lock is held for some file calls only; a process that was stopped may hold it longer.
    func locked<Value>(
        _ patience: Patience, _ body: () throws(FileFailure) -> Value
    ) throws -> Value {
        let place = folder.appending("lock")
        let descriptor = try FileSystem.open(place, O_RDWR | O_CREAT)
        defer { FileSystem.close(descriptor) }
        var pause: UInt32 = 50
        while try !FileSystem.lockAtOnce(descriptor, LOCK_EX, place) {
            try patience.check(FileClaim.Wish(purpose: [], files: []))
            usleep(pause)
            pause = min(pause * 2, 2000)
        }
        return try body()
    }

    func enter(_ wish: FileClaim.Wish) throws(FileFailure) -> (FileClaim, UInt64) {
        let number = (numbers().last ?? 0) &+ 1
        return (try FileClaim.make(wish, at: place(number)), number)
    }

    /// The last of the earlier claims that are in the way; nil if there is none.
    ///
    /// One that waits for this program's own is not in the way: it comes after that.
    func blocker(of number: UInt64, _ wish: FileClaim.Wish) throws(FileFailure) -> UInt64? {
        var own: [FileClaim.Wish] = []
        var blocker: UInt64?
        for earlier in numbers() where earlier < number {
            guard let other = try living(earlier) else { continue }
            if other.purpose == wish.purpose {
                own.append(other)
            } else if wish.conflicts(with: other) {
                if !own.contains(where: other.conflicts) { blocker = earlier }
            }
        }
        return blocker
    }

    func place(_ number: UInt64) -> [UInt8] {
        folder.appending("\(number).claim")
    }

    private func numbers() -> [UInt64] {
        let text = String(decoding: folder, as: UTF8.self)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: text)) ?? []
        return names.compactMap { name in
            name.hasSuffix(".claim") ? UInt64(name.dropLast(".claim".count)) : nil
        }.sorted()
    }

    /// Nil if its process has ended; then it is removed.
    func living(_ number: UInt64) throws(FileFailure) -> FileClaim.Wish? {
        let place = place(number)
        let descriptor: Int32
        do throws(FileFailure) {
            descriptor = try FileSystem.open(place, O_RDONLY)
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
        defer { FileSystem.close(descriptor) }
        guard try !FileSystem.lockAtOnce(descriptor, LOCK_SH, place) else {
            FileSystem.remove(place)
            return nil
        }
        return FileClaim.Wish(try FileSystem.readAll(descriptor, place))
    }
}

extension FileClaim.Wish {
    /// How long the purpose is, in a line, and the purpose, which is any text; then each file with
    /// a letter in front and a zero behind.
    fileprivate var bytes: [UInt8] {
        files.reduce(into: Array("\(purpose.count)\n".utf8) + purpose) { bytes, file in
            bytes.append(file.isWriting ? UInt8(ascii: "w") : UInt8(ascii: "r"))
            bytes += file.path
            bytes.append(0)
        }
    }

    fileprivate init(_ bytes: [UInt8]) {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let count = Int(String(decoding: bytes[..<end], as: UTF8.self)) ?? 0
        let rest = bytes[end...].dropFirst()
        purpose = Array(rest.prefix(max(0, count)))
        files = rest.dropFirst(max(0, count)).split(separator: 0).map { entry in
            ClaimedFile(
                path: Array(entry.dropFirst()), isWriting: entry.first == UInt8(ascii: "w"))
        }
    }
}

extension DeviceSession {
    /// Where programs on this device claim files; without a home, those of one person do.
    var claims: [UInt8] {
        if let home, (try? FileSystem.look(home.state)).flatMap(\.self) != nil {
            return home.state.appending("coordination")
        }
        let folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? ""
        let base = folder.isEmpty ? NSTemporaryDirectory() : folder
        return Array(base.utf8).appending("ubiquity-coordination-\(getuid())")
    }
}
