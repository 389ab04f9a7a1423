import Foundation
import Synchronization
import Testing

@testable import Ubiquity

/// Moves between two file systems, while another program writes.
@Suite(.timeLimit(.minutes(1))) struct FileMoveTests {
    private let home: TestHome
    private let other: URL

    init() throws {
        home = try TestHome()
        other = URL(fileURLWithPath: "/dev/shm/ubiquity-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    }

    @Test func whatIsSavedWhileAFileIsMovedIsNotLost() throws {
        defer { try? FileManager.default.removeItem(at: other) }
        let (old, new) = (
            other.appendingPathComponent("a"), home.url.appendingPathComponent("a")
        )
        for round in 0..<60 {
            try Data("first".utf8).write(to: old)
            let text = "saved \(round)"
            let isSaved = Mutex(false)
            let ended = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                usleep(UInt32.random(in: 0..<3_000))
                // As a program saves that has no temporary file: only if it is there.
                let file = open(old.path, O_WRONLY | O_TRUNC)
                if file >= 0 {
                    let count = write(file, text, text.utf8.count)
                    close(file)
                    isSaved.withLock { $0 = count == text.utf8.count }
                }
                ended.signal()
            }
            try? FileMove(from: old, to: new, session: home.session).perform()
            ended.wait()
            let contents = [old, new].compactMap { try? String(contentsOf: $0, encoding: .utf8) }
            if isSaved.withLock({ $0 }) { #expect(contents.contains(text)) }
            #expect(!contents.isEmpty)
            for url in [old, new] { try? FileManager.default.removeItem(at: url) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == [])
            #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path) == [])
        }
    }
}
