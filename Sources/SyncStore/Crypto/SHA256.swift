internal import COpenSSL
package import SyncCore

/// SHA-256 by OpenSSL, piece by piece; ``hash(_:)`` does it at once.
@safe
package struct SHA256: ~Copyable {
    private let context: OpaquePointer

    package init() {
        guard let context = unsafe EVP_MD_CTX_new() else {
            preconditionFailure("no memory for a hash")
        }
        unsafe self.context = context
        unsafe require(EVP_DigestInit_ex2(context, sha256Algorithm, nil))
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package mutating func update(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    /// For bytes that lie in a read buffer or a mapped file.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe require(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    }

    /// The hash of what came so far; more may come.
    package func digestSoFar() -> Digest {
        let other = SHA256()
        unsafe require(EVP_MD_CTX_copy_ex(other.context, context))
        return other.finish()
    }

    package consuming func finish() -> Digest {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        unsafe withUnsafeMutableBytes(of: &words) { bytes in
            unsafe require(
                EVP_DigestFinal_ex(
                    context, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), nil))
        }
        return Digest(bigEndianWords: words)
    }

    package static func hash(_ bytes: [UInt8]) -> Digest {
        unsafe bytes.withUnsafeBytes { unsafe hash($0) }
    }

    package static func hash(_ bytes: ArraySlice<UInt8>) -> Digest {
        unsafe bytes.withUnsafeBytes { unsafe hash($0) }
    }

    package static func hash(_ bytes: UnsafeRawBufferPointer) -> Digest {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        unsafe withUnsafeMutableBytes(of: &words) { result in
            unsafe require(
                EVP_Digest(
                    bytes.baseAddress, bytes.count,
                    result.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, sha256Algorithm,
                    nil))
        }
        return Digest(bigEndianWords: words)
    }
}

extension Digest {
    /// Takes four words as they lie in memory after a C function wrote 32 bytes.
    init(bigEndianWords words: (UInt64, UInt64, UInt64, UInt64)) {
        self.init(
            words: (
                UInt64(bigEndian: words.0), UInt64(bigEndian: words.1),
                UInt64(bigEndian: words.2), UInt64(bigEndian: words.3)
            ))
    }
}

/// Fetched once: to look it up at every call costs more than hashing a short name.
private nonisolated(unsafe) let sha256Algorithm = unsafe EVP_MD_fetch(nil, "SHA256", nil)

/// These calls fail only without memory or without an algorithm: nothing can go on then.
func require(_ result: Int32) {
    precondition(result == 1, "OpenSSL could not compute a hash")
}
