import SyncCore
import SyncStore
import Testing

/// The conformers of a store's protocol, which must not be told apart.
enum Twin: CaseIterable, CustomTestStringConvertible {
    case memory
    case sqlite

    var testDescription: String { self == .memory ? "memory" : "SQLite" }
}

/// A device's store with a way to let its process die.
struct DeviceFixture {
    var store: any DeviceStore
    private let folder: TemporaryFolder?

    init(_ twin: Twin) throws {
        switch twin {
        case .memory:
            folder = nil
            store = MemoryDeviceStore()
        case .sqlite:
            let folder = TemporaryFolder()
            self.folder = folder
            store = try SQLiteDeviceStore(folder: folder.path)
        }
    }

    /// What a new process finds.
    mutating func restart() throws {
        if let memory = store as? MemoryDeviceStore {
            memory.crash()
        } else if let folder {
            store = try SQLiteDeviceStore(folder: folder.path)
        }
    }
}

/// An account's store with a way to let its process die.
struct AccountFixture {
    static let account: AccountID = id(5)

    var store: any AccountStore
    private let folder: TemporaryFolder?
    private(set) var database: ServerDatabase?

    init(_ twin: Twin) throws {
        switch twin {
        case .memory:
            folder = nil
            store = MemoryAccountStore()
        case .sqlite:
            let folder = TemporaryFolder()
            self.folder = folder
            let database = try ServerDatabase(folder: folder.path)
            try database.transaction { database throws(StoreError) in
                try database.addAccount(
                    AccountRecord(
                        id: Self.account, name: "anna", password: "hash", identityKey: [1]))
            }
            self.database = database
            store = database.account(Self.account)
        }
    }

    mutating func restart() throws {
        if let memory = store as? MemoryAccountStore {
            memory.crash()
        } else if let folder {
            let database = try ServerDatabase(folder: folder.path)
            self.database = database
            store = database.account(Self.account)
        }
    }
}

extension AccountStore {
    /// Commits the changes alone.
    func commit(_ changes: [AccountChange]) throws(StoreError) {
        try begin()
        try apply(changes)
        try commit()
    }
}
