import DeviceSocket
import Glibc
import SyncStore

/// Joining and leaving while the daemon runs.
extension Daemon {
    /// Takes up what `join` or `leave` left for it.
    func accountChanged() {
        guard adoptPendingIdentity() else { return }
        beginSession()
        for watch in watches { tellAccountChange(watch) }
    }

    @discardableResult
    func adoptPendingIdentity() -> Bool {
        let pending = IdentityFile.pending(in: home)
        guard let identity = pending.read() else { return false }
        session?.end()
        session = nil
        do {
            try AccountSwitch(home: home, store: store).adopt(identity)
            pending.remove()
            return true
        } catch {
            trouble = "the account cannot be taken up: \(error)"
            return false
        }
    }
}
