import SyncCore
import SyncStore
import SyncTransport

/// Chunks become durable, many at once, and only then the account's.
extension Application {
    /// Makes all that an account has received durable, and has it noted down.
    ///
    /// It is noted before whatever is submitted after this returns. The closure is called once that
    /// is committed, or was refused.
    func keepReceived(
        of account: AccountID, then: @escaping @Sendable () -> Void = {}
    ) throws(StoreError) {
        let waiting = received.chunks(of: account)
        guard !waiting.isEmpty else { return then() }
        // Their files are not removed as those of dead chunks meanwhile.
        for chunk in waiting { arrivals.begin(chunk.id) }
        let end: @Sendable () -> Void = { [arrivals] in
            for chunk in waiting { arrivals.end(chunk.id) }
            then()
        }
        let kept: [ChunkReference]
        do throws(StoreError) {
            kept = try chunks.keepReceived(waiting, of: account)
        } catch {
            end()
            throw error
        }
        let write = Write(
            weight: kept.count,
            perform: { database throws(StoreError) in
                let store = database.account(account)
                for chunk in kept { try store.addChunk(chunk.id, size: chunk.size) }
                return Performed(answer: { [self] in
                    received.remove(waiting, of: account)
                    end()
                    forget(waiting, of: account)
                })
            },
            fail: { _ in end() })
        if !committer.submit(write) {
            end()
            throw .busy
        }
    }

    /// What is forgotten by mistake is brought again, and what is left over is found at the start.
    private func forget(_ chunks: [ChunkReference], of account: AccountID) {
        let ids = chunks.map(\.id)
        _ = files.run { [self] _ in
            // What came again meanwhile has its own turn.
            let gone = ids.filter { !received.contains($0, of: account) }
            try? self.chunks.forgetReceived(gone, of: account)
        }
    }

    /// The same on a thread of its own, unless it is being done.
    func keepReceivedAside(of account: AccountID) {
        guard received.beginKeeping(account) else { return }
        let isTaken = files.run { [self] _ in
            do throws(StoreError) {
                try keepReceived(of: account) { [received] in received.endKeeping(account) }
            } catch {
                received.endKeeping(account)
                ServerLog.write("chunks were not stored yet: \(error)")
            }
        }
        if !isTaken { received.endKeeping(account) }
    }
}
