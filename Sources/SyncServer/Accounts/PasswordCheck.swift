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

    /// Takes one attempt; false if the account or the address has none left.
    func begin(account: String, address: String) -> Bool {
        let now = Clocks.steady().nanoseconds / 1_000_000
        // The address first: who is stopped there must not stop the account's owner as well.
        guard byAddress.take(address, at: now) else { return false }
        return byAccount.take(account, at: now)
    }

    /// Checks a password against a hash; nil for an account that does not exist.
    ///
    /// - Returns: False if too many wait.
    func check(
        _ password: [UInt8], against hash: PasswordHash?, account: String, address: String,
        _ done: @escaping @Sendable (Bool) -> Void
    ) -> Bool {
        pool.run { [byAccount, byAddress, decoy] _ in
            let isRight: Bool
            do throws(PasswordHashFailure) {
                isRight = try (hash ?? decoy).matches(password) && hash != nil
            } catch {
                ServerLog.write("the password of \(account) could not be checked: \(error)")
                isRight = false
            }
            if isRight {
                byAccount.giveBack(account)
                byAddress.giveBack(address)
            }
            done(isRight)
        }
    }

    func close() { pool.close() }
}
