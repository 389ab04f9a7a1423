package import DeviceSocket
import Glibc
package import SyncStore

/// Gives a home to an account.
///
/// The trees belong to the account: the same one joined again goes on from them; another one starts
/// empty, and the old files are set aside, whole.
package struct AccountSwitch {
    private let home: DeviceHome
    private let store: any DeviceStore

    package init(home: DeviceHome, store: any DeviceStore) {
        self.home = home
        self.store = store
    }

    package func adopt(_ identity: DeviceIdentity) throws {
        let before = try store.identity()
        let isSame = before.map { $0.account == identity.account } ?? true
        if !isSame, let before { try setAside(accountName: before.accountName) }
        // Never that of an account whose files are not here any more.
        try IdentityFile.copy(in: home).write(identity)
        try store.setIdentity(identity, clearing: !isSame)
    }

    /// Moves the containers out of the way.
    ///
    /// It is done again after a crash in between: then there is nothing left to move.
    private func setAside(accountName: String) throws {
        let containers = String(decoding: home.containers, as: UTF8.self)
        var status = stat()
        guard unsafe lstat(containers, &status) == 0 else { return }
        var number = 1
        while true {
            let suffix = number == 1 ? "" : " \(number)"
            let name = accountName.replacingSlashes
            let target =
                String(decoding: home.path, as: UTF8.self) + "/Containers of \(name)\(suffix)"
            if unsafe lstat(target, &status) != 0 {
                guard unsafe rename(containers, target) == 0 else {
                    throw SmallFileFailure.last()
                }
                return
            }
            number += 1
        }
    }
}

extension String {
    fileprivate var replacingSlashes: String {
        String(map { $0 == "/" || $0 == "\0" ? "_" : $0 })
    }
}
