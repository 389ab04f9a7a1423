package import SyncCore

/// SHA-256 in Swift, for where there is no OpenSSL: a browser.
package struct SHA256: Sendable {
    private var state: State = (
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
        0x5BE0_CD19
    )
    private var schedule = [UInt32](repeating: 0, count: 64)
    /// What does not fill a block yet.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    private typealias State = (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)
    private static var blockSize: Int { 64 }

    package init() {}

    package static func hash(_ bytes: [UInt8]) -> Digest {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    package mutating func update(_ bytes: [UInt8]) {
        count &+= UInt64(bytes.count)
        var start = 0
        if !rest.isEmpty {
            start = min(bytes.count, SHA256.blockSize - rest.count)
            rest.append(contentsOf: bytes[..<start])
            guard rest.count == SHA256.blockSize else { return }
            absorb(rest, at: 0)
            rest.removeAll(keepingCapacity: true)
        }
        while bytes.count - start >= SHA256.blockSize {
            absorb(bytes, at: start)
            start += SHA256.blockSize
        }
        rest.append(contentsOf: bytes[start...])
    }

    package consuming func finish() -> Digest {
        let bits = count &* 8
        var end: [UInt8] = [0x80]
        let used = (rest.count + 9) % SHA256.blockSize
        if used > 0 { end += [UInt8](repeating: 0, count: SHA256.blockSize - used) }
        end.append(bigEndian: bits)
        update(end)
        return Digest(
            words: (
                word(state.0, state.1), word(state.2, state.3), word(state.4, state.5),
                word(state.6, state.7)
            ))
    }

    private func word(_ high: UInt32, _ low: UInt32) -> UInt64 { UInt64(high) << 32 | UInt64(low) }

    // MARK: A block

    private mutating func absorb(_ bytes: [UInt8], at start: Int) {
        for index in 0..<16 {
            let byte = start + index * 4
            schedule[index] =
                UInt32(bytes[byte]) << 24 | UInt32(bytes[byte + 1]) << 16
                | UInt32(bytes[byte + 2]) << 8 | UInt32(bytes[byte + 3])
        }
        for index in 16..<64 {
            let early = schedule[index - 15]
            let late = schedule[index - 2]
            let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
            let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
            schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
        var (a, b, c, d, e, f, g, h) = state
        for index in 0..<64 {
            let choice = e & f ^ ~e & g
            let majority = a & b ^ a & c ^ b & c
            let upper = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let lower = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let one = h &+ upper &+ choice &+ SHA256.constants[index] &+ schedule[index]
            let two = lower &+ majority
            (a, b, c, d, e, f, g, h) = (one &+ two, a, b, c, d &+ one, e, f, g)
        }
        state = (
            state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e, state.5 &+ f,
            state.6 &+ g, state.7 &+ h
        )
    }

    private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
        0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
        0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
        0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
        0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
        0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
        0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
        0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
        0xC671_78F2,
    ]
}
