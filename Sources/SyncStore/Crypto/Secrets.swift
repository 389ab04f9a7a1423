internal import COpenSSL

/// Bytes that nobody can guess: keys, tokens, ids.
package func randomBytes(_ count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        // Without random numbers no key may be made; this fails only if the kernel gives none.
        unsafe require(RAND_bytes(buffer.baseAddress, Int32(count)))
        initialized = count
    }
}

/// Takes the same time whichever byte differs; only the counts may be learned.
package func isEqualInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return unsafe CRYPTO_memcmp(one, other, one.count) == 0
}
