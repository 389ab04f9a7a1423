import CArgon2
import Glibc
import SyncCore

/// What one password check costs, here and for somebody who has stolen the database.
package struct PasswordCost: Sendable, Hashable {
    /// Passes over the memory.
    package var passes: UInt32
    /// Kibibytes that a check fills.
    package var memory: UInt32

    package init(passes: UInt32 = 3, memory: UInt32 = 65_536) {
        self.passes = passes
        self.memory = memory
    }
}

/// A password as it is stored: Argon2id with its parameters and salt, as one line of text.
package struct PasswordHash: Sendable, Hashable {
    package let encoded: String

    package init(encoded: String) { self.encoded = encoded }

    /// Hashes a password; takes about a tenth of a second and the memory that the cost names.
    ///
    /// - Throws: ``PasswordHashFailure`` if the memory is not to be had.
    package init(
        password: [UInt8], salt: [UInt8], cost: PasswordCost
    ) throws(PasswordHashFailure) {
        let length = argon2_encodedlen(
            cost.passes, cost.memory, 1, UInt32(salt.count), PasswordHash.bytes, Argon2_id)
        var text = [CChar](repeating: 0, count: length)
        let status = unsafe argon2id_hash_encoded(
            cost.passes, cost.memory, 1, password, password.count, salt, salt.count,
            Int(PasswordHash.bytes), &text, text.count)
        guard status == ARGON2_OK.rawValue else { throw PasswordHashFailure(status: status) }
        encoded = String(
            decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether the password is the one that was hashed; the comparison takes the same time for all.
    package func matches(_ password: [UInt8]) throws(PasswordHashFailure) -> Bool {
        let status = unsafe argon2id_verify(encoded, password, password.count)
        switch status {
        case ARGON2_OK.rawValue: return true
        case ARGON2_VERIFY_MISMATCH.rawValue: return false
        default: throw PasswordHashFailure(status: status)
        }
    }

    private static let bytes: UInt32 = 32
}

/// A password could not be hashed, for want of memory or because the stored text is damaged.
package struct PasswordHashFailure: Error, CustomStringConvertible {
    let status: Int32

    package var description: String {
        unsafe argon2_error_message(status).map { unsafe String(cString: $0) }
            ?? "Argon2 error \(status)"
    }
}
