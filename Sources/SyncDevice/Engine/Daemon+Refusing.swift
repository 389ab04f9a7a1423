import SyncCore
import SyncWire

/// What a program is told that cannot have what it wants: what, why, and what to do.
extension Daemon {
    /// What it wants is at the server.
    func failWithoutServer(_ caller: Caller, _ what: String) {
        fail(caller, .offline, "\(what); \(whyNoServer)")
    }

    private var whyNoServer: String {
        guard let link = session?.link, link.condition != .revoked else {
            return "this device was revoked or has left the account: run `ubiquity join`"
        }
        guard link.condition != .open else {
            return "the server did not answer as it should: try again"
        }
        let problem = link.problem.map { " (\($0))" } ?? ""
        return "the server cannot be reached\(problem): try again when `ubiquity status` is not "
            + "offline"
    }

    /// There is no account any more that it could be of.
    func failWithoutAccount(_ caller: Caller) {
        fail(
            caller, .signedOut,
            trouble ?? "no account is joined any more; run `ubiquity join`")
    }

    func failWithoutState(_ caller: Caller) {
        fail(
            caller, .failed,
            "the device's own state cannot be written: make room on the disk of its home, and try "
                + "again")
    }

    static let noSuchFile =
        "there is no such file here or in the account; `ubiquity ls` lists what is there"
}
