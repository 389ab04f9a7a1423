package import SyncCore
package import SyncWire
internal import Synchronization

/// Chunks that have come and are not durable yet: they are at the end of a pack, and wait.
///
/// A process that is killed loses none of them, a power cut perhaps some; whoever opens the folder
/// next goes on with those that are whole. So many are made durable at once, which takes little
/// longer than one.
extension FileChunkStore {
    /// Writes chunks whose bytes are known to have their hashes.
    package func receive(_ bundle: ChunkBundle, of account: AccountID) throws(StoreError) {
        var chunks: [(ChunkReference, ArraySlice<UInt8>)] = []
        bundle.eachChunk { chunks.append(($0, $1)) }
        try packed.withLock { [chunks] packed throws(StoreError) in
            try packed.append(chunks, account)
        }
    }

    /// What a process before has received, by account; what is not whole is left out.
    package func leftReceived() throws(StoreError) -> [AccountID: [ChunkReference]] {
        try takeOldReceived()
        return packed.withLock { $0.allWaiting() }
    }

    /// An older version wrote each as a file `received/ACCOUNT/HEX`.
    private func takeOldReceived() throws(StoreError) {
        guard try FileSystem.isThere(oldReceivedFolder) else { return }
        for name in try FileSystem.names(in: oldReceivedFolder) {
            guard let account = AccountID(text: name) else { continue }
            let folder = "\(oldReceivedFolder)/\(name)"
            for text in try FileSystem.names(in: folder) {
                let path = "\(folder)/\(text)"
                if let bytes = decodeHexadecimal(text), let id = ChunkID(bytes: bytes),
                    let content = try FileSystem.read(path), SHA256.hash(content) == id
                {
                    let chunk = ChunkReference(id: id, size: UInt32(content.count))
                    try receive(ChunkBundle([chunk], bytes: content), of: account)
                }
                try FileSystem.removeIfThere(path)
            }
            FileSystem.removeFolderIfEmpty(folder)
        }
        FileSystem.removeFolderIfEmpty(oldReceivedFolder)
    }

    /// Makes received chunks durable under their own names; they stay received as well.
    ///
    /// Gives those that are there now.
    package func keepReceived(
        _ chunks: [ChunkReference], of account: AccountID
    ) throws(StoreError) -> [ChunkReference] {
        try keep(chunks, of: account)
    }

    /// Nil if it was not received, or is settled.
    package func readReceived(
        _ id: ChunkID, of account: AccountID
    ) throws(StoreError) -> [UInt8]? {
        let place = packed.withLock { $0.waitingPlace(of: id, account) }
        guard let place, let bytes = try bytes(of: id, at: place) else { return nil }
        return SHA256.hash(bytes) == id ? bytes : nil
    }

    /// They are the account's, if they were kept, or nobody's.
    package func forgetReceived(_ chunks: [ChunkID], of account: AccountID) throws(StoreError) {
        try packed.withLock { packed throws(StoreError) in
            try packed.settle(chunks, account)
        }
    }

    private var oldReceivedFolder: String { "\(folder)/received" }
}
