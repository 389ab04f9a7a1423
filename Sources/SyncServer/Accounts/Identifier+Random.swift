import SyncCore
import SyncStore

extension Identifier {
    /// An id that nobody has given before.
    static func random() -> Self { Identifier(Digest.random()) }
}

extension Digest {
    fileprivate static func random() -> Digest { SHA256.hash(randomBytes(32)) }
}
