import Glibc
import SyncCore
import SyncStore

/// A package that is being read, a member or a chunk at a time, as it was at one moment: nothing in
/// it may have changed when its end is reached.
final class PackageRead {
    private let spot: Spot
    private let request: ReadRequest
    private let before: PackageWalk
    private let watcher: Watcher?
    private let package: Descriptor
    private var reading: PackageReading
    private var next = 0
    private var long: LongMember?

    /// A member that is too long to be read at once.
    private struct LongMember {
        let file: Descriptor
        let size: UInt64
        /// Up to here it is read, and what of that is not cut yet.
        var offset: UInt64 = 0
        var window: [UInt8] = []
    }

    /// Throws `EILSEQ` if what is there cannot be a package.
    init(
        _ spot: Spot, _ request: ReadRequest, _ chunks: ChunkFolder, _ known: Set<ChunkID>,
        _ watcher: Watcher?
    ) throws(DiskError) {
        self.spot = spot
        self.watcher = watcher
        self.request = request
        before = try PackageWalk(spot)
        guard let list = before.list else { throw DiskError(code: EILSEQ, call: "getdents64") }
        package = try FileSystemCalls.openFolder(spot)
        reading = try PackageReading(list, known: known, chunks: chunks)
    }

    /// Nil if there is more.
    func step() throws(DiskError) -> ReadOutcome? {
        do {
            return try unseen { () throws(DiskError) in try advance() }
        } catch {
            // A member that is gone is not the package.
            if error.isMissing, try FileSystemCalls.lookIfThere(spot) != nil { return .busy }
            throw error
        }
    }

    private func advance() throws(DiskError) -> ReadOutcome? {
        if long != nil { return try takeMore() ? nil : .busy }
        var budget = Self.stepBytes
        while next < before.entries.count {
            guard budget > 0 else { return nil }
            let entry = before.entries[next]
            next += 1
            guard try take(entry) else { return .busy }
            if long != nil { return nil }
            budget -= Int(clamping: entry.stamp.size) + 4_096
        }
        guard try PackageWalk(spot).isUnchanged(since: before) else { return .busy }
        try reading.publish()
        return .content(reading.result(before.stamp))
    }

    /// False if the member is not as it was.
    private func take(_ entry: PackageWalk.Entry) throws(DiskError) -> Bool {
        switch entry.kind {
        case .folder: return true
        case .link:
            let spot = try FileSystemCalls.member(entry.path, of: package)
            let target = try FileSystemCalls.readLink(spot)
            guard UInt64(target.count) == entry.stamp.size else { return false }
            try reading.take(target)
            return true
        case .file:
            let file = try FileSystemCalls.openContent(
                FileSystemCalls.member(entry.path, of: package))
            guard try FileSystemCalls.look(file).stamp.identity == entry.stamp.identity else {
                return false
            }
            if !request.isForOpenFile, FileSystemCalls.hasWriter(file) == true { return false }
            guard entry.stamp.size <= UInt64(ChunkCutter.mostBytes) else {
                long = LongMember(file: file, size: entry.stamp.size)
                return true
            }
            let size = Int(entry.stamp.size)
            var bytes = [UInt8](repeating: 0, count: size + 1)
            guard try FileSystemCalls.read(file, at: 0, into: &bytes, 0..<(size + 1)) == size
            else { return false }
            try reading.take(Array(bytes[..<size]))
            return true
        }
    }

    /// A chunk of a long member; false if it is shorter than it was.
    private func takeMore() throws(DiskError) -> Bool {
        guard var member = long else { return true }
        let cutter = ChunkCutter(contentSize: member.size)
        if member.window.count < cutter.maximum, member.offset < member.size {
            let wanted = min(
                UInt64(2 * cutter.maximum - member.window.count), member.size - member.offset)
            guard
                let more = try FileSystemCalls.read(
                    member.file, at: member.offset, count: Int(wanted))
            else { return false }
            member.window += more
            member.offset += wanted
        }
        let length = try reading.takeChunk(of: member.window, cutter)
        member.window.removeFirst(length)
        let isOver = member.window.isEmpty && member.offset == member.size
        long = isOver ? nil : member
        return true
    }

    func end() {
        try? unseen { () throws(DiskError) in long = nil }
        reading.drop()
    }

    /// Our own reading is nobody's, nor is that we close what we had open.
    private func unseen<Value>(
        _ body: () throws(DiskError) -> Value
    ) throws(DiskError) -> Value {
        guard let watcher else { return try body() }
        return try watcher.readingOurselves(before.stamp.identity, body)
    }

    private static var stepBytes: Int { 1_048_576 }
}
