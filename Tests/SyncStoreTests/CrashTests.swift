import Glibc
import SyncCore
import SyncStore
import SyncWire
import Testing

/// A process that is killed while it commits loses nothing that it was told is durable.
@Suite(.serialized) struct CrashTests {
    @Test(arguments: [1, 7, 30])
    func deviceStoreSurvivesAKill(after commits: Int) throws {
        let folder = TemporaryFolder()
        let child = ChildProcess(.device, folder: folder.path, commits: .max)
        var acknowledged = child.acknowledged(commits)
        child.kill()
        acknowledged += child.acknowledged(.max)
        let image = try SQLiteDeviceStore(folder: folder.path).load()
        let last = try #require(image.progress?.lastNumber)
        #expect(UInt64(acknowledged) == last || UInt64(acknowledged) + 1 == last)
        var expected = ReplicaImage()
        for commit in ChildWork.deviceCommits(upTo: last) {
            for change in commit { expected.apply(change) }
        }
        #expect(image == expected)
    }

    @Test(arguments: [1, 7, 30])
    func serverStoreSurvivesAKill(after commits: Int) throws {
        let folder = TemporaryFolder()
        let child = ChildProcess(.server, folder: folder.path, commits: .max)
        var acknowledged = child.acknowledged(commits)
        child.kill()
        acknowledged += child.acknowledged(.max)
        let database = try ServerDatabase(folder: folder.path)
        #expect(try database.check() == [])
        for account in ChildWork.accounts {
            let store = database.account(account)
            let last = try store.position().number
            #expect(UInt64(acknowledged) == last || UInt64(acknowledged) + 1 == last)
            let expected = MemoryAccountStore()
            for number in 1...last { try expected.commit(ChildWork.accepted(number)) }
            #expect(
                try store.entries(after: 0, limit: .max, to: nil)
                    == expected.entries(after: 0, limit: .max, to: nil))
            #expect(try store.usage() == expected.usage())
            #expect(try store.answer(Incarnation(.max), last) != nil)
            #expect(try store.answer(Incarnation(.max), last + 1) == nil)
            #expect(try store.item(id(1)) == expected.item(id(1)))
        }
        let both = try ChildWork.accounts.map { try database.account($0).position() }
        #expect(both[0] == both[1])
    }

    /// One `fdatasync` of the write-ahead log is what makes a commit durable; a second one would
    /// halve the speed, none would lose data.
    @Test(.enabled(if: CrashTests.canTrace, "strace is not there or may not trace"))
    func syncsOncePerCommit() throws {
        for (task, file) in [(ChildTask.device, "state.db"), (.server, "server.db")] {
            let few = syncs(task, file, commits: 5)
            let many = syncs(task, file, commits: 25)
            #expect(many.log - few.log == 20)
            #expect(many.all - few.all == 20)
        }
    }

    private func syncs(
        _ task: ChildTask, _ file: String, commits: UInt64
    ) -> (log: Int, all: Int) {
        let folder = TemporaryFolder()
        let trace = "\(folder.path)/trace"
        let child = ChildProcess(
            task, folder: folder.path, commits: commits,
            wrapper: [
                "strace", "-f", "-y", "-e", "trace=fsync,fdatasync,sync_file_range", "-o", trace,
            ])
        #expect(child.acknowledged(.max) == Int(commits))
        child.wait()
        let lines = String(decoding: readFile(trace), as: UTF8.self).split(separator: "\n")
        let calls = lines.filter { $0.contains("sync") && $0.contains(folder.path) }
        return (calls.count { $0.contains("\(file)-wal>") }, calls.count)
    }

    static let canTrace: Bool = {
        let program = ["strace", "-o", "/dev/null", "true"]
        var words = program.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, "strace", nil, nil, &words, environ) == 0 else { return false }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return status == 0
    }()
}

/// What a child does until it is killed; no test by itself.
@Suite struct ChildWork {
    static let accounts: [AccountID] = [id(1), id(2)]

    @Test(.enabled(if: ChildTask.own != nil, "only a child process does this"))
    func work() throws {
        let (task, folder, commits) = try #require(ChildTask.own)
        switch task {
        case .device: try workOnDevice(folder, commits)
        case .server: try workOnServer(folder, commits)
        }
    }

    private func workOnDevice(_ folder: String, _ commits: UInt64) throws {
        let store = try SQLiteDeviceStore(folder: folder)
        var number: UInt64 = 1
        while number <= commits {
            try store.commit(Self.deviceCommit(number))
            acknowledge()
            number += 1
        }
    }

    private func workOnServer(_ folder: String, _ commits: UInt64) throws {
        let database = try ServerDatabase(folder: folder)
        try database.transaction { database throws(StoreError) in
            for account in Self.accounts {
                try database.addAccount(
                    AccountRecord(
                        id: account, name: account.text, password: "", identityKey: []))
            }
        }
        var number: UInt64 = 1
        while number <= commits {
            try database.transaction { database throws(StoreError) in
                for account in Self.accounts {
                    try database.account(account).apply(Self.accepted(number))
                }
            }
            acknowledge()
            number += 1
        }
    }

    private func acknowledge() {
        precondition(write(ChildProcess.channel, [1], 1) == 1)
    }

    static func deviceCommits(upTo last: UInt64) -> [[ReplicaChange]] {
        (1...last).map(deviceCommit)
    }

    static func deviceCommit(_ number: UInt64) -> [ReplicaChange] {
        var progress = ReplicaProgress(
            incarnation: Incarnation(1), lastNumber: number, lastEntry: number, cursor: .start,
            hasPulled: true)
        progress.cursor = Position(number: number, digest: digest(number))
        let version = Sample.version(
            number,
            content: .inline([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 9000)))
        return [
            .node(id(1), Sample.node(id(1), version: id(number))),
            .node(id(number), Sample.node(id(number), version: id(number))),
            .outbox(
                entry: number,
                OutboxEntry(
                    body: .edit(item: id(1), version: version), made: WallTime(milliseconds: 1),
                    number: number)),
            .outbox(entry: number &- 2, nil),
            .progress(progress),
        ]
    }

    static func accepted(_ number: UInt64) -> [AccountChange] {
        let version = Sample.version(
            number,
            content: .inline([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 5000)))
        return Sample.accepted(
            number, Sample.state(id(1), tag: number % 3, heads: [version.id]), version)
    }
}

extension ReplicaImage {
    fileprivate mutating func apply(_ change: ReplicaChange) {
        switch change {
        case .node(let item, let record): nodes[item] = record
        case .alias(let item, let holder): aliases[item] = holder
        case .outbox(let entry, let record): outbox[entry] = record
        case .register(let key, let record): registers[key] = record
        case .progress(let progress): self.progress = progress
        case .landmark(let position, let isKept): keep(position, isKept)
        case .content, .ancestry, .ancestryLost: break
        }
    }
}
