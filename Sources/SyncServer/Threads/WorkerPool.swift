/// A few threads that do work which blocks, each with something of its own to work with.
final class WorkerPool<Tool: Sendable>: Sendable {
    private let mailbox: Mailbox<@Sendable (Tool) -> Void>
    private let threads: [WorkThread]

    /// One thread for each tool, such as a database connection.
    init(tools: [Tool], waiting capacity: Int) {
        let mailbox = Mailbox<@Sendable (Tool) -> Void>(capacity: capacity)
        self.mailbox = mailbox
        threads = tools.map { tool in
            WorkThread {
                while let work = mailbox.take() { work(tool) }
            }
        }
    }

    /// False if too much is waiting, or the pool is closed.
    func run(_ work: @escaping @Sendable (Tool) -> Void) -> Bool { mailbox.put(work) }

    /// Finishes what is waiting, and ends the threads.
    func close() {
        mailbox.close()
        for thread in threads { thread.join() }
    }
}
