package import SyncCore
package import SyncWire

/// Chunks that have come and are not durable yet: `received/ACCOUNT/HEX` under the folder.
///
/// A process that is killed loses none of them, a power cut perhaps some; whoever opens the folder
/// next goes on with those that are whole. So many are made durable at once, which takes little
/// longer than one.
extension FileChunkStore {
    /// Writes chunks whose bytes are known to have their hashes.
    package func receive(_ bundle: ChunkBundle, of account: AccountID) throws(StoreError) {
        try FileSystem.makeFolder(receivedFolder(of: account))
        try bundle.eachChunk { (chunk, bytes) throws(StoreError) in
            let temporary = newTemporary()
            do throws(StoreError) {
                try FileSystem.write(bytes, to: temporary)
                try FileSystem.move(temporary, to: received(chunk.id, of: account))
            } catch {
                try? FileSystem.removeIfThere(temporary)
                throw error
            }
        }
    }

    /// What a process before has received, by account; what is not whole is removed.
    package func leftReceived() throws(StoreError) -> [AccountID: [ChunkReference]] {
        var left: [AccountID: [ChunkReference]] = [:]
        for name in try FileSystem.names(in: receivedFolder) {
            guard let account = AccountID(text: name) else { continue }
            for text in try FileSystem.names(in: receivedFolder(of: account)) {
                let path = "\(receivedFolder(of: account))/\(text)"
                if let bytes = decodeHexadecimal(text), let id = ChunkID(bytes: bytes),
                    let content = try FileSystem.read(path), SHA256.hash(content) == id
                {
                    let chunk = ChunkReference(id: id, size: UInt32(content.count))
                    left[account, default: []].append(chunk)
                } else {
                    try FileSystem.removeIfThere(path)
                }
            }
        }
        return left
    }

    /// Makes received chunks durable under their own names; they stay received as well.
    ///
    /// Gives those that are there now.
    package func keepReceived(
        _ chunks: [ChunkReference], of account: AccountID
    ) throws(StoreError) -> [ChunkReference] {
        var kept: [ChunkReference] = []
        for chunk in chunks {
            let source = received(chunk.id, of: account)
            let target = path(chunk.id)
            if try isWhole(chunk.id, target) {
                kept.append(chunk)
                continue
            }
            guard try FileSystem.isThere(source) else { continue }
            kept.append(chunk)
            let temporary = newTemporary()
            try FileSystem.link(source, as: temporary)
            try FileSystem.move(temporary, to: target)
        }
        try FileSystem.syncAll(folder)
        return kept
    }

    /// Nil if it was not received, or is kept.
    package func readReceived(
        _ id: ChunkID, of account: AccountID
    ) throws(StoreError) -> [UInt8]? {
        guard let bytes = try FileSystem.read(received(id, of: account)) else { return nil }
        return SHA256.hash(bytes) == id ? bytes : nil
    }

    package func forgetReceived(_ chunks: [ChunkID], of account: AccountID) throws(StoreError) {
        for chunk in chunks { try FileSystem.removeIfThere(received(chunk, of: account)) }
        FileSystem.removeFolderIfEmpty(receivedFolder(of: account))
    }

    var receivedFolder: String { "\(folder)/received" }
    private func receivedFolder(of account: AccountID) -> String {
        "\(receivedFolder)/\(account.text)"
    }
    private func received(_ id: ChunkID, of account: AccountID) -> String {
        "\(receivedFolder(of: account))/\(id.text)"
    }
}
