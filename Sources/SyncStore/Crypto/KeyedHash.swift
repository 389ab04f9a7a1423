internal import COpenSSL
package import SyncCore

/// HMAC-SHA-256 under one key, which is set up once; safe to use from any thread.
@safe
package final class KeyedHash: @unchecked Sendable {
    // Only ever copied after `init`, and copying reads: that is why threads can share it.
    private let keyed: OpaquePointer

    package init(key: [UInt8]) {
        guard let algorithm = unsafe EVP_MAC_fetch(nil, "HMAC", nil),
            let context = unsafe EVP_MAC_CTX_new(algorithm)
        else { preconditionFailure("OpenSSL has no HMAC") }
        unsafe EVP_MAC_free(algorithm)
        unsafe keyed = context
        // HMAC pads keys with zeros, so this is the empty key; a null pointer would mean none.
        let usable = key.isEmpty ? [0] : key
        var name = Array("SHA256".utf8CString)
        unsafe name.withUnsafeMutableBufferPointer { name in
            let parameters = unsafe [
                OSSL_PARAM_construct_utf8_string("digest", name.baseAddress, 0),
                OSSL_PARAM_construct_end(),
            ]
            unsafe require(EVP_MAC_init(context, usable, max(key.count, 1), parameters))
        }
    }

    deinit { unsafe EVP_MAC_CTX_free(keyed) }

    package func hash(_ bytes: [UInt8]) -> Digest {
        guard let context = unsafe EVP_MAC_CTX_dup(keyed) else {
            preconditionFailure("no memory for a hash")
        }
        defer { unsafe EVP_MAC_CTX_free(context) }
        unsafe require(EVP_MAC_update(context, bytes, bytes.count))
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        unsafe withUnsafeMutableBytes(of: &words) { result in
            unsafe require(
                EVP_MAC_final(
                    context, result.baseAddress?.assumingMemoryBound(to: UInt8.self), nil,
                    result.count))
        }
        return Digest(bigEndianWords: words)
    }
}
