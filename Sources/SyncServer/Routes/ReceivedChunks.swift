import SyncCore
import SyncStore
import SyncTransport
import SyncWire
import Synchronization

/// The chunks that devices have brought and that are not durable yet, by account.
///
/// An operation that names one waits until they are.
final class ReceivedChunks: Sendable {
    private struct Account {
        var sizes: [ChunkID: UInt32] = [:]
        var bytes = 0
        var isBeingKept = false

        mutating func add(_ chunks: [ChunkReference]) {
            for chunk in chunks where sizes.updateValue(chunk.size, forKey: chunk.id) == nil {
                bytes += Int(chunk.size)
            }
        }
    }

    private let accounts: Mutex<[AccountID: Account]>

    /// Goes on with what a process before has received.
    init(
        _ folder: DataFolder, _ chunks: FileChunkStore, _ database: ServerDatabase
    ) throws(ServerStartFailure) {
        var accounts: [AccountID: Account] = [:]
        do throws(StoreError) {
            let known = Set(try database.accountIDs())
            for (id, left) in try chunks.leftReceived() {
                guard known.contains(id) else {
                    try chunks.forgetReceived(left.map(\.id), of: id)
                    continue
                }
                accounts[id, default: Account()].add(left)
            }
        } catch {
            throw ServerStartFailure(opening: error, in: folder)
        }
        self.accounts = Mutex(accounts)
    }

    /// Gives how many bytes the account has by now.
    func add(_ chunks: [ChunkReference], of account: AccountID) -> Int {
        accounts.withLock { accounts in
            accounts[account, default: Account()].add(chunks)
            return accounts[account]?.bytes ?? 0
        }
    }

    func contains(_ chunk: ChunkID, of account: AccountID) -> Bool {
        accounts.withLock { $0[account]?.sizes[chunk] != nil }
    }

    /// Whether any account has any.
    var isEmpty: Bool { accounts.withLock { $0.isEmpty } }

    var holders: [AccountID] { accounts.withLock { Array($0.keys) } }

    func chunks(of account: AccountID) -> [ChunkReference] {
        accounts.withLock { accounts in
            (accounts[account]?.sizes ?? [:]).map { ChunkReference(id: $0.key, size: $0.value) }
        }
    }

    func remove(_ chunks: [ChunkReference], of account: AccountID) {
        accounts.withLock { accounts in
            for chunk in chunks where accounts[account]?.sizes.removeValue(forKey: chunk.id) != nil
            {
                accounts[account]?.bytes -= Int(chunk.size)
            }
            if accounts[account]?.sizes.isEmpty == true { accounts[account] = nil }
        }
    }

    /// False if somebody is at it already.
    func beginKeeping(_ account: AccountID) -> Bool {
        accounts.withLock { accounts in
            guard accounts[account]?.isBeingKept == false else { return false }
            accounts[account]?.isBeingKept = true
            return true
        }
    }

    func endKeeping(_ account: AccountID) {
        accounts.withLock { $0[account]?.isBeingKept = false }
    }
}
