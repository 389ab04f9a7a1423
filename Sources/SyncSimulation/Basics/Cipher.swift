import SyncCore

/// Stands in for encryption: what the server gets tells it nothing, and is the same every time.
struct Cipher {
    let key: UInt64

    /// Seals, and opens what it sealed.
    func apply(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        var word: UInt64 = 0
        for index in bytes.indices {
            if index & 7 == 0 { word = mixed(key &+ UInt64(index / 8)) }
            result[index] ^= UInt8(truncatingIfNeeded: word)
            word >>= 8
        }
        return result
    }

    /// The vault of a device whose account is encrypted under the key.
    var vault: Vault {
        var tagKey: [UInt8] = []
        tagKey.append(bigEndian: mixed(key))
        return Vault(
            hash: simulatedHash, identityKey: simulatedVault.identityKey,
            tag: { [tagKey] in Tag(simulatedHash(tagKey + $0)) },
            seal: { apply($0) }, open: { apply($0) })
    }
}

// MARK: - Contents, which the shell seals and opens

extension StoredContent {
    func applying(_ cipher: Cipher) -> StoredContent {
        guard case .inline(let bytes) = self else { return self }
        return .inline(cipher.apply(bytes))
    }
}

extension Version {
    func applying(_ cipher: Cipher) -> Version {
        Version(
            id: id, parents: parents, nature: nature, facts: facts,
            content: content.applying(cipher))
    }
}

extension Operation {
    func applying(_ cipher: Cipher) -> Operation {
        Operation(
            number: number, age: age, body: body.applying(cipher), restsOn: restsOn)
    }
}

extension Operation.Body {
    fileprivate func applying(_ cipher: Cipher) -> Operation.Body {
        switch self {
        case .create(let item, let kind, let placement, let version):
            .create(
                item: item, kind: kind, placement: placement, version: version.applying(cipher))
        case .edit(let item, let version): .edit(item: item, version: version.applying(cipher))
        case .move, .removeFolder, .restoreFolder, .write: self
        }
    }
}

extension LogEntry {
    func applying(_ cipher: Cipher) -> LogEntry {
        LogEntry(
            position: position, author: author, incarnation: incarnation, operation: operation,
            moment: moment, effects: effects.map { $0.applying(cipher) })
    }
}

extension Effect {
    fileprivate func applying(_ cipher: Cipher) -> Effect {
        guard case .item(let state, let version?) = self else { return self }
        return .item(state, introducing: version.applying(cipher))
    }
}
