/// What a person, or a person's program, does.
package enum Act: Hashable, Sendable, CaseIterable {
    case createFile
    case createBinary
    case makeFolder
    case makeLink
    /// Opens an editor: reads the file and keeps the text.
    case openEditor
    /// Saves from an open editor, with a change, without reading again.
    case saveEditor
    case closeEditor
    /// Reads without keeping.
    case read
    /// `echo > file`: writes without reading.
    case overwrite
    /// `echo >> file`.
    case append
    case rename
    case move
    case swapNames
    /// One file is renamed over another.
    case replaceByOther
    case deleteFile
    case deleteFolder
    case changeMode
    case changeTime
    case setValue
    case removeValue
    case settleConflict

    /// One typist has no old text open under a name that another file gets.
    var changesNames: Bool {
        switch self {
        case .rename, .move, .swapNames, .replaceByOther, .deleteFile, .deleteFolder: true
        default: false
        }
    }

    /// A person looks at what is there first.
    var looksFirst: Bool { self == .createFile || self == .createBinary || self == .openEditor }
}

/// How a program saves.
enum SavingWay: Int, CaseIterable {
    /// Truncates and writes.
    case inPlace
    /// Writes a temporary file, flushes it, renames it into place.
    case renameOver
    /// Moves the old file to a backup name, writes anew, removes the backup.
    case backupFirst
}

/// Something that happens from outside, at a planned moment.
package enum Fault: Hashable, Sendable, CaseIterable {
    case processCrash
    case powerLoss
    case serverCrash
    case linkDown
    case streamBreak
    case watcherOverflow
    case diskFull
}
