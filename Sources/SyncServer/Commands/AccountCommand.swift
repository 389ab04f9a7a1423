import SyncCore
import SyncStore

/// `ubiquity server account`: works on the data folder, whether or not a server runs on it.
struct AccountCommand {
    enum Action: Equatable {
        case add(PersonalName)
        case list
        case remove(PersonalName)
    }

    let action: Action
    let folder: String

    init(_ arguments: [String]) throws(CommandFailure) {
        let arguments = try Arguments(arguments, options: ["--data"])
        action = try AccountCommand.action(arguments.words)
        folder = try arguments.required("--data")
    }

    func run() throws(CommandFailure) {
        switch action {
        case .add(let name): try add(name)
        case .list: try list()
        case .remove(let name): try remove(name)
        }
    }

    private func add(_ name: PersonalName) throws(CommandFailure) {
        let database = try open()
        // Asked before the password is typed, and decided when it is stored.
        try requireFree(name, in: database)
        let password = try hash(try Terminal.password(for: name.text))
        let isAdded = try done { () throws(StoreError) in
            try database.transaction { database throws(StoreError) in
                guard try database.account(named: name.text) == nil else { return false }
                try database.addAccount(
                    AccountRecord(
                        id: AccountID.random(), name: name.text, password: password.encoded,
                        identityKey: randomBytes(32), created: Clocks.wall()))
                return true
            }
        }
        if !isAdded { throw AccountCommand.taken(name) }
        Terminal.say("account \(name.text) added")
    }

    private func list() throws(CommandFailure) {
        let database = try open()
        for name in try done({ () throws(StoreError) in try database.accountNames() }) {
            Terminal.say(name)
        }
    }

    private func remove(_ name: PersonalName) throws(CommandFailure) {
        let folder = try openFolder()
        let database = try open()
        let isRemoved = try done { () throws(StoreError) in
            try database.transaction { database throws(StoreError) in
                guard let account = try database.account(named: name.text) else { return false }
                try database.removeAccount(account.id)
                return true
            }
        }
        guard isRemoved else {
            throw .failed("there is no account \(name.text); see: ubiquity server account list")
        }
        folder.revocationMark.change()
        Terminal.say("account \(name.text) removed")
    }

    private func requireFree(
        _ name: PersonalName, in database: ServerDatabase
    ) throws(CommandFailure) {
        let account = try done { () throws(StoreError) in try database.account(named: name.text) }
        if account != nil { throw AccountCommand.taken(name) }
    }

    private static func taken(_ name: PersonalName) -> CommandFailure {
        .failed("there is an account \(name.text) already; choose another name")
    }

    private func hash(_ password: [UInt8]) throws(CommandFailure) -> PasswordHash {
        do throws(PasswordHashFailure) {
            return try PasswordHash(
                password: password, salt: randomBytes(16), cost: ServerLimits().passwordCost)
        } catch {
            throw .failed("the password cannot be hashed: \(error); free some memory")
        }
    }

    private func openFolder() throws(CommandFailure) -> DataFolder {
        do throws(DataFolderFailure) {
            return try DataFolder(creating: folder)
        } catch {
            throw .failed(error.description)
        }
    }

    private func open() throws(CommandFailure) -> ServerDatabase {
        let folder = try openFolder()
        do throws(ServerStartFailure) {
            return try folder.openDatabase()
        } catch {
            throw .failed(error.description)
        }
    }

    private func done<Value>(
        _ body: () throws(StoreError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            throw .failed("nothing was changed in \(folder): \(error); try again")
        }
    }

    private static func action(_ words: [String]) throws(CommandFailure) -> Action {
        switch (words.first, words.count) {
        case ("list", 1): return .list
        case ("add", 2): return .add(try name(words[1]))
        case ("remove", 2): return .remove(try name(words[1]))
        case ("add", _), ("remove", _): throw .usage("one account name is needed")
        case ("list", _): throw .usage("account list takes no name")
        case (let word?, _): throw .usage("there is no account command '\(word)'")
        case (nil, _): throw .usage("an account command is missing")
        }
    }

    private static func name(_ text: String) throws(CommandFailure) -> PersonalName {
        guard let name = PersonalName(text) else {
            throw .failed(
                "this is no account name; use 1 to 128 bytes of UTF-8, no control characters, "
                    + "no space at the ends")
        }
        return name
    }
}
