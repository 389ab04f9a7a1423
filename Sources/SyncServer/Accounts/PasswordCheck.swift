import SyncCore
import SyncStore
import SyncTransport

/// Checks passwords on a thread of its own, so that many at once take neither the machine's
/// memory nor anybody's time.
final class PasswordCheck: Sendable {
    private let pool: WorkerPool<Unused>
    private let byAccount: AttemptLimiter
    private let byAddress: AttemptLimiter
    /// Checked when there is no such account, so that its name cannot be learned from the time.
    private let decoy: PasswordHash

    private struct Unused: Sendable {}

    init(_ limits: ServerLimits) throws(ServerStartFailure) {
        byAccount = AttemptLimiter(limit: limits.wrongPasswords)
        byAddress = AttemptLimiter(limit: limits.wrongPasswordsOfAddress)
        do throws(PasswordHashFailure) {
            decoy = try PasswordHash(
                password: randomBytes(32), salt: randomBytes(16), cost: limits.passwordCost)
        } catch {
            throw ServerStartFailure(error)
        }
        do throws(SystemError) {
            pool = try WorkerPool(tools: [Unused()], waiting: limits.waitingPasswords)
        } catch {
            throw ServerStartFailure(error)
        }
    }

    /// What came of a check.
    enum Verdict: Sendable {
        case right
        case wrong
        /// There were too many wrong ones before.
        case notChecked
    }

    /// Whether a password would be checked now.
    func allows(account: String, address: String) -> Bool {
        let now = PasswordCheck.now
        return byAccount.allows(account, at: now) && byAddress.allows(address, at: now)
    }

    /// Checks a password against a hash, which is nil for an account that does not exist.
    ///
    /// - Returns: False if too many wait.
    func check(
        _ password: [UInt8], against hash: PasswordHash?, account: String, address: String,
        _ done: @escaping @Sendable (Verdict) -> Void
    ) -> Bool {
        pool.run { [self] _ in
            // Asked again: there is one such thread, so that guesses sent together are counted.
            guard allows(account: account, address: address) else { return done(.notChecked) }
            let isRight = matches(password, hash, account)
            if !isRight {
                byAccount.recordWrong(account, at: PasswordCheck.now)
                byAddress.recordWrong(address, at: PasswordCheck.now)
            }
            done(isRight ? .right : .wrong)
        }
    }

    private func matches(_ password: [UInt8], _ hash: PasswordHash?, _ account: String) -> Bool {
        do throws(PasswordHashFailure) {
            return try (hash ?? decoy).matches(password) && hash != nil
        } catch {
            ServerLog.write("the password of \(account) could not be checked: \(error)")
            return false
        }
    }

    private static var now: Int64 { Clocks.steady().nanoseconds / 1_000_000 }

    func close() { pool.close() }
}
