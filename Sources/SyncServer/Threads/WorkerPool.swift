import SyncTransport

/// A few threads that do work which blocks, each with something of its own to work with.
final class WorkerPool<Tool: Sendable>: Sendable {
    private let mailbox: Mailbox<@Sendable (Tool) -> Void>
    private let threads: [WorkThread]

    /// One thread for each tool, such as a database connection.
    init(tools: [Tool], waiting capacity: Int) throws(SystemError) {
        let mailbox = Mailbox<@Sendable (Tool) -> Void>(capacity: capacity)
        self.mailbox = mailbox
        var threads: [WorkThread] = []
        do throws(SystemError) {
            for tool in tools {
                threads.append(
                    try WorkThread {
                        while let work = mailbox.take() { work(tool) }
                    })
            }
        } catch {
            mailbox.close()
            throw error
        }
        self.threads = threads
    }

    /// The threads know the mailbox alone.
    deinit { mailbox.close() }

    /// False if too much is waiting, or the pool is closed.
    func run(_ work: @escaping @Sendable (Tool) -> Void) -> Bool { mailbox.put(work) }

    /// Finishes what is waiting, and ends the threads.
    func close() {
        mailbox.close()
        for thread in threads { thread.join() }
    }
}
