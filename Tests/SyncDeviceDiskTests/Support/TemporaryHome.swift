import Glibc
import SyncCore
import SyncStore

@testable import SyncDevice

/// A device's home of its own for one test, removed at its end.
final class TemporaryHome: Sendable {
    let path: String
    let folders: DeviceFolders

    init() throws {
        // TMPDIR chooses the file system that is tried.
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/ubiquity-disk-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw DiskError.last("mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        folders = try DeviceFolders(home: Array(path.utf8))
        try folders.makeContainers()
    }

    deinit {
        guard let home = try? FileSystemCalls.openHome(Array(path.utf8)) else { return }
        try? empty(home)
        rmdir(path)
    }

    var tree: String { path + "/Containers" }
    var state: String { path + "/.ubiquity" }

    func file(_ name: String) -> String { tree + "/" + name }

    func write(_ text: String, to name: String) throws {
        try writeBytes(Array(text.utf8), to: file(name))
    }

    func text(_ name: String) -> String? { readText(file(name)) }

    func stamp(_ name: String) throws -> FileStamp {
        try standing(name).stamp
    }

    func entry(_ name: String) throws -> DiskEntry? {
        let path = local(name)
        let slot = Slot(folder: .top, name: path.names[path.names.count - 1])
        return try DiskView(folders).look(slot, at: path, in: nil)?.entry
    }

    private func standing(_ name: String) throws -> DiskEntry {
        guard let entry = try entry(name) else { throw DiskError(code: ENOENT, call: "look") }
        return entry
    }

    func names(in folder: String) -> [String] { listing(folder) }

    /// What lies in the device's own folders for the time of a job.
    var staged: [String] { listing(state + "/staging") }
    /// The contents that were set aside, by the name that each had.
    var setAside: [String: String] {
        var texts: [String: String] = [:]
        for folder in listing(state + "/set-aside") {
            for name in listing("\(state)/set-aside/\(folder)") {
                texts[name] = readText("\(state)/set-aside/\(folder)/\(name)")
            }
        }
        return texts
    }
}

func local(_ path: String) -> LocalPath {
    LocalPath(names: path.split(separator: "/").map { Name(String($0))! })
}

func slot(_ name: String, in folder: ItemID = .top) -> Slot {
    Slot(folder: folder, name: Name(name)!)
}

func item(_ number: UInt64) -> ItemID { ItemID(high: 7, low: number) }

func facts(
    _ text: String, mode: UInt16 = 0o644,
    modified: FileTime = FileTime(seconds: 1_000_000_000, nanoseconds: 123_456_789)
) -> VersionFacts {
    let bytes = Array(text.utf8)
    return VersionFacts(
        digest: SHA256.hash(bytes), size: UInt64(bytes.count), mode: mode, modified: modified)
}

/// Removes all that is in a folder, whatever its mode and however long its path.
private func empty(_ folder: Descriptor) throws {
    for name in try FileSystemCalls.names(in: folder) {
        let spot = Spot(folder, name)
        if try FileSystemCalls.look(spot).kind == .folder {
            try FileSystemCalls.setMode(try FileSystemCalls.openEntry(spot), 0o700)
            try empty(try FileSystemCalls.openFolder(spot))
            try FileSystemCalls.removeFolder(spot)
        } else {
            try FileSystemCalls.removeFile(spot)
        }
    }
}

/// A descriptor of another program; whoever starts programs meanwhile does not pass it on.
func openAsOther(_ path: String, _ flags: Int32) -> Int32 { open(path, flags | O_CLOEXEC, 0o644) }

/// Does it again while the file is busy: another test that starts a program has every descriptor
/// open twice for a moment.
func untilQuiet(_ body: () -> JobOutcome) -> JobOutcome {
    for _ in 0..<10_000 {
        let outcome = body()
        guard outcome == .busy else { return outcome }
        sched_yield()
    }
    return .busy
}

func writeBytes(_ bytes: [UInt8], to path: String) throws {
    let file = openAsOther(path, O_WRONLY | O_CREAT | O_TRUNC)
    guard file >= 0 else { throw DiskError.last("open") }
    defer { close(file) }
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
        throw DiskError.last("write")
    }
}

func readText(_ path: String) -> String? {
    readBytes(path).map { String(decoding: $0, as: UTF8.self) }
}

func readBytes(_ path: String) -> [UInt8]? {
    let file = openAsOther(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(file, &buffer, buffer.count)
        guard count > 0 else { break }
        bytes.append(contentsOf: buffer[..<count])
    }
    return bytes
}

/// Bytes that nothing is found twice in, the same in every run.
func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 88_172_645_463_325_252
    return (0..<count).map { _ in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 24)
    }
}

func listing(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
}
