import SyncStore

/// `ubiquity server backup` and `restore`: all of a server in one file, and back.
struct BackupCommand {
    enum Way {
        case backup
        case restore
    }

    let way: Way
    let file: String
    let folder: String
    /// A file that is there already is replaced.
    let isReplacing: Bool

    init(_ way: Way, _ arguments: [String]) throws(CommandFailure) {
        let flags: Set<String> = way == .backup ? ["--replace"] : []
        let arguments = try Arguments(arguments, options: ["--data"], flags: flags)
        guard arguments.words.count == 1 else { throw .usage("one file is needed") }
        self.way = way
        file = arguments.words[0]
        folder = try arguments.required("--data")
        isReplacing = arguments.has("--replace")
    }

    func run() throws(CommandFailure) {
        switch way {
        case .backup: try backUp()
        case .restore: try restore()
        }
    }

    /// A server may run on the folder meanwhile.
    private func backUp() throws(CommandFailure) {
        let isThere = try done { () throws(StoreError) in try ServerBackup.isThere(file) }
        guard isReplacing || !isThere else {
            throw .failed(
                "\(file) is there already and stays as it is; name another file, or give --replace")
        }
        let folder = try openFolder()
        let database: ServerDatabase
        do throws(ServerStartFailure) {
            database = try folder.openDatabase()
        } catch {
            throw .failed(error.description)
        }
        try done { () throws(StoreError) in
            try ServerBackup.make(of: database, folder.openServedChunks(), as: file)
        }
        Terminal.say("backed up to \(file)")
    }

    /// Never while a server runs: it would go on with what it knows.
    private func restore() throws(CommandFailure) {
        let folder = try openFolder()
        let lock = try hold(folder)
        defer { lock.release() }
        let chunks: FileChunkStore
        do throws(ServerStartFailure) {
            chunks = try folder.openChunks()
        } catch {
            throw .failed(error.description)
        }
        let kept = try done { () throws(StoreError) in
            try ServerBackup(path: file).restore(into: folder.path, chunks)
        }
        folder.revocationMark.change()
        let old = kept.map { "; what was there before is kept as \($0)" } ?? ""
        Terminal.say("restored from \(file)\(old)")
    }

    private func hold(_ folder: DataFolder) throws(CommandFailure) -> FolderLock {
        do throws(DataFolderFailure) {
            return try folder.lock()
        } catch {
            throw .failed("nothing was restored: \(error)")
        }
    }

    private func openFolder() throws(CommandFailure) -> DataFolder {
        do throws(DataFolderFailure) {
            return try DataFolder(creating: folder)
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
            throw .failed("\(file) or \(folder) cannot be used: \(error); nothing was changed")
        }
    }
}
