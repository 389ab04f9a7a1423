import DeviceSocket
import Glibc
import SyncStore

/// A device's state that cannot be read any more, put aside so that a new one can begin.
///
/// The new one takes the account from ``IdentityFile/copy(in:)`` and everything else from the disk
/// and the server, as a device does that joins with files of its own. What only the old one knew
/// goes with it: deletions and moves that were not sent, limits, and where a content is not wanted.
struct DamagedState {
    private let home: DeviceHome
    private let mark: SmallFile

    init(home: DeviceHome) {
        self.home = home
        mark = SmallFile(path: home.state + Array("/state.damaged".utf8))
    }

    /// Puts the state's files aside, under names that say so; gives the number in them.
    ///
    /// The mark is durable before the first of them has moved: half of the files would be an older
    /// state that looks whole.
    func putAside(because error: StoreError) throws(SmallFileFailure) -> Int {
        var number = 1
        while isThere("state.db.damaged-\(number)") { number += 1 }
        try mark.write(Array("\(number)\n\(error)\n".utf8), mode: 0o600)
        try finish(number)
        return number
    }

    /// Goes on where a process that was killed has stopped.
    func finishIfBegun() throws(SmallFileFailure) {
        guard let bytes = mark.read() else { return }
        let number = Int(String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self))
        try finish(number ?? 0)
    }

    private func finish(_ number: Int) throws(SmallFileFailure) {
        for end in ["-wal", "-shm", ""] {
            let old = path("state.db\(end)")
            let new = path("state.db.damaged-\(number)\(end)")
            guard unsafe rename(old, new) == 0 || errno == ENOENT else { throw .last() }
        }
        sync()
        mark.remove()
    }

    private func isThere(_ name: String) -> Bool { unsafe access(path(name), F_OK) == 0 }

    private func path(_ name: String) -> String {
        String(decoding: home.state, as: UTF8.self) + "/" + name
    }

    private func sync() {
        let folder = unsafe open(path("."), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
