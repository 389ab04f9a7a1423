import DeviceSocket
import Glibc
import SyncStore
import SyncWire

/// Which account a home belongs to, as `join` and `leave` read and change it.
///
/// The home may have a daemon or none, and one may start or end meanwhile: what is to change is
/// written beside the state, durably, and is taken up by the daemon that runs or by the next one.
struct HomeIdentity {
    let home: CommandHome

    /// Makes the home if it is not there, and says early if nothing can be written to it.
    init(writing home: CommandHome) throws(CommandFailure) {
        self.home = home
        for folder in [home.home.path, home.home.state] {
            let path = folder.map { CChar(bitPattern: $0) } + [0]
            guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw notWritable }
            guard unsafe access(path, W_OK | X_OK) == 0 else { throw notWritable }
        }
    }

    private var notWritable: CommandFailure {
        let reason = unsafe String(cString: strerror(errno))
        return .failed(
            "cannot write to the home \(home.name): \(reason); set UBIQUITY_HOME to another folder")
    }

    /// What a daemon would go by now; nil if no account was ever joined.
    func current() throws(CommandFailure) -> DeviceIdentity? {
        if let pending = IdentityFile.pending(in: home.home).read() { return pending }
        do throws(StoreError) {
            let folder = String(decoding: home.home.state, as: UTF8.self)
            return try SQLiteDeviceStore(folder: folder).identity()
        } catch .corrupt(let text) {
            // The next daemon begins anew with that.
            if let copy = IdentityFile.copy(in: home.home).read() { return copy }
            throw .failed("the device's state on \(home.name) is damaged: \(text); join again")
        } catch {
            throw .failed("cannot read the device's state on \(home.name): \(error)")
        }
    }

    /// Returns when the daemon, if one runs, goes by the identity; whether one runs.
    func change(to identity: DeviceIdentity) throws(CommandFailure) -> Bool {
        let pending = IdentityFile.pending(in: home.home)
        do throws(SmallFileFailure) {
            try pending.write(identity)
        } catch {
            throw .failed(
                "cannot write to the home \(home.name): \(error); free the disk and try again")
        }
        guard let client = try home.connectIfRunning() else { return false }
        do throws(DeviceClientError) {
            try client.perform(.accountChanged)
        } catch .disconnected {
            // It ended meanwhile; the next one takes it up.
            return false
        } catch {
            throw .failed("the device on \(home.name) did not take up the account: \(error)")
        }
        guard pending.read() == nil else {
            let reason = try? client.status().stuck.first?.reason
            throw .failed(
                "the device on \(home.name) cannot take up the account:"
                    + " \(reason ?? "it does not say why"); `ubiquity status` says how it stands")
        }
        if identity.token != nil { try openDocuments(client) }
        return true
    }
    /// Returns when a person can put files into the account.
    private func openDocuments(_ client: DeviceClient) throws(CommandFailure) {
        do throws(DeviceClientError) {
            _ = try client.openContainer(CommandHome.container)
        } catch {
            throw .failed(
                "joined, but \(shown(home.documents)) is not there: \(error);"
                    + " `ubiquity status` says how it stands")
        }
    }
}
