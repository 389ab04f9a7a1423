import Glibc
import SyncCore
import SyncStore
import SyncWire
import Testing

@testable import SyncDevice

/// Contents that are put together from what is here and what the server has.
@Suite struct AssemblyTests {
    let home: TemporaryHome
    let own: ChunkFolder
    let folder: DownloadFolder
    let version = VersionID(high: 1, low: 2)
    let bytes: [UInt8]
    let chunks: [ChunkReference]

    init() throws {
        home = try TemporaryHome()
        own = ChunkFolder(home.folders)
        folder = DownloadFolder(home.folders)
        bytes = noise(3_000_000)
        chunks = Self.cut(bytes)
    }

    private static func cut(_ bytes: [UInt8]) -> [ChunkReference] {
        let cutter = ChunkCutter(contentSize: UInt64(bytes.count))
        var chunks: [ChunkReference] = []
        var left = bytes[...]
        while !left.isEmpty {
            let chunk = left.prefix(cutter.length(of: left.span))
            chunks.append(ChunkReference(id: SHA256.hash(chunk), size: UInt32(chunk.count)))
            left = left.dropFirst(chunk.count)
        }
        return chunks
    }

    private func request(
        _ bytes: [UInt8], _ chunks: [ChunkReference], digest: Digest? = nil
    ) -> FetchRequest {
        FetchRequest(
            item: ItemID(high: 1, low: 1), version: version,
            facts: VersionFacts(
                digest: digest ?? SHA256.hash(bytes), size: UInt64(bytes.count), mode: 0o600,
                modified: FileTime(seconds: 0, nanoseconds: 0)), chunks: chunks)
    }

    /// Runs it to its end with a server that has a content; gives how it ended and what it asked
    /// for, and stops when so many chunks were asked for.
    private func run(
        _ assembly: Assembly, server bytes: [UInt8], _ chunks: [ChunkReference],
        stopAfter most: Int = .max
    ) -> (state: Assembly.State, asked: [ChunkID]) {
        var parts: [ChunkID: ArraySlice<UInt8>] = [:]
        var start = 0
        for chunk in chunks {
            parts[chunk.id] = bytes[start..<start + Int(chunk.size)]
            start += Int(chunk.size)
        }
        var asked: [ChunkID] = []
        var questions: [ChunkPlan.Question] = []
        while true {
            let state = assembly.step()
            questions += assembly.takeQuestions()
            switch state {
            case .going: continue
            case .complete, .failed: return (state, asked)
            case .waiting: break
            }
            guard !questions.isEmpty, asked.count < most else { return (state, asked) }
            let question = questions.removeFirst()
            asked += question.chunks
            let found = question.chunks.filter { parts[$0] != nil }
            let answer = ChunkBundle(
                found.map { ChunkReference(id: $0, size: UInt32(parts[$0]!.count)) },
                bytes: found.flatMap { parts[$0]! })
            if let outcome = assembly.take(answer, to: question.number) {
                return (.failed(outcome), asked)
            }
        }
    }

    private func assembly(
        _ request: FetchRequest, _ sources: [ChunkSource] = []
    ) throws -> Assembly {
        try Assembly(request, sources, own: own, file: folder.open(version))
    }

    private var downloaded: [UInt8] {
        readBytes("\(home.state)/downloads/\(version.text)") ?? []
    }

    private func isComplete(_ state: Assembly.State) -> Bool {
        if case .complete(let size, let digest) = state {
            size == UInt64(bytes.count) && digest == SHA256.hash(bytes)
        } else {
            false
        }
    }

    @Test func comesFromTheServerOnceEach() throws {
        let end = run(try assembly(request(bytes, chunks)), server: bytes, chunks)
        #expect(isComplete(end.state))
        #expect(end.asked == chunks.map(\.id))
        #expect(downloaded == bytes)
    }

    @Test func goesOnFromWhatAnEarlierRunHasLeft() throws {
        let first = run(
            try assembly(request(bytes, chunks)), server: bytes, chunks, stopAfter: 10)
        #expect(!isComplete(first.state))
        let second = run(try assembly(request(bytes, chunks)), server: bytes, chunks)
        #expect(isComplete(second.state))
        #expect(downloaded == bytes)
        // Only what had been asked for and was not written travels twice.
        #expect(first.asked.count + second.asked.count <= chunks.count + 16)
        let third = run(try assembly(request(bytes, chunks)), server: [], [])
        #expect(isComplete(third.state))
    }

    @Test func doesNotBuildOnWhatIsDamaged() throws {
        #expect(isComplete(run(try assembly(request(bytes, chunks)), server: bytes, chunks).state))
        var damaged = bytes
        damaged[1_000_000] ^= 1
        try writeBytes(damaged, to: "\(home.state)/downloads/\(version.text)")
        let end = run(try assembly(request(bytes, chunks)), server: bytes, chunks)
        #expect(isComplete(end.state))
        #expect(!end.asked.isEmpty && end.asked.count < chunks.count)
        #expect(downloaded == bytes)
    }

    @Test func takesWhatTheFileHasThatIsToBeReplaced() throws {
        var old = bytes
        old.removeSubrange(1_500_000..<1_500_010)
        try writeBytes(old, to: home.file("a"))
        let reader = ContentReader(home.folders, chunks: own)
        let file = try #require(reader.open(local("a"), Watcher(home.folders)))
        let source = ChunkSource(file: file, chunks: Self.cut(old))
        let end = run(try assembly(request(bytes, chunks), [source]), server: bytes, chunks)
        #expect(isComplete(end.state))
        #expect(end.asked.count <= 2)
        #expect(downloaded == bytes)
    }

    @Test func asksForWhatAFileDoesNotHaveAnyMore() throws {
        var old = bytes
        for index in 500_000..<520_000 { old[index] = 0 }
        try writeBytes(old, to: home.file("a"))
        let reader = ContentReader(home.folders, chunks: own)
        let file = try #require(reader.open(local("a"), Watcher(home.folders)))
        // It is thought to have all.
        let source = ChunkSource(file: file, chunks: chunks)
        let end = run(try assembly(request(bytes, chunks), [source]), server: bytes, chunks)
        #expect(isComplete(end.state))
        #expect((1...3).contains(end.asked.count))
        #expect(downloaded == bytes)
    }

    @Test func takesWhatWaitsToBeSent() throws {
        _ = try own.keep(bytes)
        let end = run(try assembly(request(bytes, chunks)), server: [], [])
        #expect(isComplete(end.state))
        #expect(end.asked.isEmpty)
    }

    @Test func holesStayHolesAndDoNotTravel() throws {
        var sparse = [UInt8](repeating: 0, count: 20_000_000)
        sparse.replaceSubrange(9_000_000..<9_001_000, with: noise(1_000))
        let cut = Self.cut(sparse)
        let end = run(try assembly(request(sparse, cut)), server: sparse, cut)
        guard case .complete(let size, let digest) = end.state else {
            Issue.record("\(end.state)")
            return
        }
        #expect(size == 20_000_000)
        #expect(digest == SHA256.hash(sparse))
        #expect(end.asked.count <= 4)
        #expect(downloaded == sparse)
        var status = stat()
        #expect(stat("\(home.state)/downloads/\(version.text)", &status) == 0)
        #expect(status.st_blocks * 512 <= 65_536)
        // Also a hole is found again.
        let again = run(try assembly(request(sparse, cut)), server: [], [])
        if case .complete = again.state {} else { Issue.record("\(again.state)") }
    }

    /// Versions are cut in other ways than a device would cut them.
    @Test(arguments: [1, 999, 65_536, 1_048_576])
    func anyDivisionIsTaken(_ length: Int) throws {
        let content = length == 1 ? Array(bytes[..<300]) : bytes
        let cut = stride(from: 0, to: content.count, by: length).map { start in
            let chunk = content[start..<min(start + length, content.count)]
            return ChunkReference(id: SHA256.hash(chunk), size: UInt32(chunk.count))
        }
        let end = run(try assembly(request(content, cut)), server: content, cut)
        if case .complete = end.state {} else { Issue.record("\(end.state)") }
        #expect(downloaded == content)
    }

    @Test func whatRepeatsComesOnce() throws {
        let repeated = bytes + bytes + bytes
        let cut = chunks + chunks + chunks
        let end = run(try assembly(request(repeated, cut)), server: bytes, chunks)
        if case .complete = end.state {} else { Issue.record("\(end.state)") }
        #expect(end.asked.count == chunks.count)
        #expect(downloaded == repeated)
    }

    @Test func aContentThatIsNotWhatItsVersionSaysIsDamaged() throws {
        let wrong = request(bytes, chunks, digest: SHA256.hash([1]))
        let end = run(try assembly(wrong), server: bytes, chunks)
        if case .failed(.damaged) = end.state {} else { Issue.record("\(end.state)") }
    }

    @Test func aServerWithoutTheChunksIsAskedAgainLater() throws {
        let end = run(try assembly(request(bytes, chunks)), server: [], [])
        if case .failed(.unavailable) = end.state {} else { Issue.record("\(end.state)") }
    }

    @Test func aServerThatSendsOtherBytesIsNotBelieved() throws {
        let assembly = try assembly(request(bytes, chunks))
        _ = assembly.step()
        let question = try #require(assembly.takeQuestions().first)
        let answer = ChunkBundle(
            [ChunkReference(id: question.chunks[0], size: 3)], bytes: [1, 2, 3])
        #expect(assembly.take(answer, to: question.number) == .damaged)
    }

    /// What was not asked for is no answer: it is asked for again later, not at once and for ever.
    @Test func anAnswerToSomethingElseIsNone() throws {
        let assembly = try assembly(request(bytes, chunks))
        _ = assembly.step()
        let question = try #require(assembly.takeQuestions().first)
        let other = noise(300)
        let answer = ChunkBundle(
            [ChunkReference(id: SHA256.hash(other), size: 300)], bytes: other)
        #expect(assembly.take(answer, to: question.number) == .unavailable)
    }

    /// Sizes that are not the chunks' are the version's fault: to ask again would bring the same.
    @Test func aListWithWrongSizesIsDamaged() throws {
        let wrong = chunks.map { ChunkReference(id: $0.id, size: $0.size - 1) }
        let end = run(try assembly(request(bytes, wrong)), server: bytes, chunks)
        if case .failed(.damaged) = end.state {} else { Issue.record("\(end.state)") }
        #expect(end.asked.count < chunks.count)
    }

    /// A chunk that this disk cannot read is fetched: of our own, or of an earlier attempt.
    @Test func whatCannotBeReadHereIsFetched() throws {
        for chunk in chunks.prefix(3) {
            #expect(mkdir("\(home.state)/chunks/\(chunk.id.text)", 0o700) == 0)
        }
        let path = "\(home.state)/downloads/\(version.text)"
        try writeBytes(Array(bytes[..<1_000_000]), to: path)
        let unreadable = Descriptor(owning: openAsOther(path, O_WRONLY))
        let assembly = try Assembly(request(bytes, chunks), [], own: own, file: unreadable)
        let end = run(assembly, server: bytes, chunks)
        #expect(isComplete(end.state))
        #expect(downloaded == bytes)
        for chunk in chunks.prefix(3) {
            #expect(rmdir("\(home.state)/chunks/\(chunk.id.text)") == 0)
        }
    }

    /// While one answer does not come, the others bring no more than memory is to hold.
    @Test func aLateAnswerHoldsUpTheRest() throws {
        let content = noise(4_000_000)
        let cut = Self.cut(content)
        var parts: [ChunkID: ArraySlice<UInt8>] = [:]
        var start = 0
        for chunk in cut {
            parts[chunk.id] = content[start..<start + Int(chunk.size)]
            start += Int(chunk.size)
        }
        let assembly = try assembly(request(content, cut))
        _ = assembly.step()
        var questions = assembly.takeQuestions()
        let late = questions.removeFirst()
        var brought = 0
        while !questions.isEmpty {
            let question = questions.removeFirst()
            let found = question.chunks.map { id in
                ChunkReference(id: id, size: UInt32(parts[id]!.count))
            }
            brought += found.reduce(0) { $0 + Int($1.size) }
            let answer = ChunkBundle(found, bytes: question.chunks.flatMap { parts[$0]! })
            #expect(assembly.take(answer, to: question.number) == nil)
            if case .waiting = assembly.step() {} else { Issue.record("it went on") }
            questions += assembly.takeQuestions()
        }
        #expect(brought <= ChunkTransfer.bytesAsked)
        #expect(late.chunks.first == cut.first?.id)
    }

    /// Of a source that has changed not one chunk after the other is asked for.
    @Test func aChangedSourceCostsFewQuestions() throws {
        try writeBytes(noise(10), to: home.file("a"))
        let reader = ContentReader(home.folders, chunks: own)
        let file = try #require(reader.open(local("a"), Watcher(home.folders)))
        let assembly = try assembly(
            request(bytes, chunks), [ChunkSource(file: file, chunks: chunks)])
        var parts: [ChunkID: ArraySlice<UInt8>] = [:]
        var start = 0
        for chunk in chunks {
            parts[chunk.id] = bytes[start..<start + Int(chunk.size)]
            start += Int(chunk.size)
        }
        var count = 0
        while true {
            let state = assembly.step()
            if case .complete = state { break }
            for question in assembly.takeQuestions() {
                count += 1
                let found = question.chunks.map { id in
                    ChunkReference(id: id, size: UInt32(parts[id]!.count))
                }
                let answer = ChunkBundle(found, bytes: question.chunks.flatMap { parts[$0]! })
                #expect(assembly.take(answer, to: question.number) == nil)
            }
            if case .failed = state { break }
        }
        #expect(downloaded == bytes)
        #expect(count <= chunks.count / 3)
    }

    // MARK: The folder

    @Test func theStartRemovesWhatNobodyWaitsFor() throws {
        let other = VersionID(high: 9, low: 9)
        _ = try folder.open(version)
        _ = try folder.open(other)
        try writeBytes([1], to: "\(home.state)/downloads/x")
        try folder.removeAll { [version] }
        #expect(listing(home.state + "/downloads") == [version.text])
    }

    @Test func oneAtATimePutsAContentTogether() throws {
        let first = try folder.open(version)
        let error = #expect(throws: DiskError.self) { try folder.open(version) }
        #expect(error?.code == EWOULDBLOCK)
        #expect(first.number >= 0)
    }

    @Test func whatWasCompleteOnceIsTakenUpWhateverItsMode() throws {
        let path = "\(home.state)/downloads/\(version.text)"
        try writeBytes(bytes, to: path)
        #expect(chmod(path, 0) == 0)
        let end = run(try assembly(request(bytes, chunks)), server: [], [])
        #expect(isComplete(end.state))
    }

    /// It is installed like any other, and stays for another try if that does not do.
    @Test func whatWasDownloadedIsInstalled() throws {
        let installer = Installer(home)
        #expect(isComplete(run(try assembly(request(bytes, chunks)), server: bytes, chunks).state))
        let facts = VersionFacts(
            digest: SHA256.hash(bytes), size: UInt64(bytes.count), mode: 0o440,
            modified: FileTime(seconds: 1_000, nanoseconds: 5))
        func staged() -> StagedFile {
            StagedFile(
                downloaded: folder.spot(of: version), count: UInt64(bytes.count),
                digest: SHA256.hash(bytes))
        }
        try home.write("in the way", to: "a")
        let task = InstallJob.Task.placeFile(
            at: local("a"), .fetched(version), facts, expected: nil)
        #expect(installer.perform(task, .staged(staged())).isUnexpected)
        #expect(downloaded.count == bytes.count)
        let stamp = try home.stamp("a")
        let replacing = InstallJob.Task.placeFile(
            at: local("a"), .fetched(version), facts, expected: stamp)
        let done = installer.perform(replacing, .staged(staged()))
        #expect(done.stamp?.mode == 0o440)
        #expect(done.stamp?.modified == facts.modified)
        #expect(readBytes(home.file("a")) == bytes)
        #expect(listing(home.state + "/downloads").isEmpty)
        #expect(home.staged.isEmpty)
        let other = StagedFile(
            downloaded: folder.spot(of: version), count: 1, digest: SHA256.hash([1]))
        try writeBytes([1], to: "\(home.state)/downloads/\(version.text)")
        other.discard()
        #expect(listing(home.state + "/downloads").isEmpty)
    }
}
