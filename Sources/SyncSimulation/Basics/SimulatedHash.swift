import SyncCore

/// Stands in for SHA-256: quick, and without collisions among contents that nobody forged.
let simulatedHash: HashFunction = { bytes in
    var lanes: (UInt64, UInt64, UInt64, UInt64) = (
        0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1
    )
    var word: UInt64 = 0
    var index = 0
    while index < bytes.count {
        word = word << 8 | UInt64(bytes[index])
        index += 1
        guard index & 7 == 0 else { continue }
        absorb(word, into: &lanes)
        word = 0
    }
    absorb(word, into: &lanes)
    absorb(UInt64(bytes.count), into: &lanes)
    return Digest(
        words: (
            mixed(lanes.0 ^ lanes.1), mixed(lanes.1 &+ lanes.2), mixed(lanes.2 ^ lanes.3),
            mixed(lanes.3 &+ lanes.0)
        ))
}

private func absorb(_ word: UInt64, into lanes: inout (UInt64, UInt64, UInt64, UInt64)) {
    lanes.0 = (rotated(lanes.0, by: 13) ^ word) &* 0x9E37_79B9_7F4A_7C15
    lanes.1 = (rotated(lanes.1, by: 29) &+ word) &* 0xBF58_476D_1CE4_E5B9
    lanes.2 = rotated(lanes.2 ^ (word &* 0x94D0_49BB_1331_11EB), by: 37) &+ lanes.0
    lanes.3 = rotated(lanes.3 &+ (word ^ lanes.1), by: 41) &* 0xD6E8_FEB8_6659_FD93
}
