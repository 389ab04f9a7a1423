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
    /// Brings something back from the trash, a folder with all that went with it.
    case restoreFromTrash
    /// Makes an old version of a file current again.
    case restoreVersion
    /// Saves an older text again.
    case undo
    /// Saves another text of the same length.
    case saveSameSize
    case makeAgain
    case copyFolder
    /// Saves a text that travels in chunks, always the same one.
    case saveLongText
    /// Writes a short one in its place.
    case replaceLongText
    /// Moves a document into a new folder and edits it there, all within a moment.
    case tidyAndEdit
    /// Saves a document that is a package, member by member.
    case savePackage
    /// Wants a file's content at the server only.
    case evict
    /// Wants a content here again.
    case download
    case writeToPlaceholder
    case movePlaceholder
    case removePlaceholder
    /// Makes a file where a placeholder stands for one.
    case saveBesidePlaceholder
    // These are done by two people, or by one with two devices.
    case openTwice
    case moveOutWhileDeleted
    case moveInWhileDeleted
    case renameWhileEdited

    /// Not what one person does who waits for the other device.
    var isForTwo: Bool {
        switch self {
        case .openTwice, .moveOutWhileDeleted, .moveInWhileDeleted, .renameWhileEdited: true
        default: false
        }
    }

    /// It takes a while, in which one typist would have to wait.
    var isRestoring: Bool { self == .restoreFromTrash || self == .restoreVersion }

    /// One typist has no old text open under a name that another file gets.
    var changesNames: Bool {
        switch self {
        case .rename, .move, .swapNames, .replaceByOther, .deleteFile, .deleteFolder, .makeAgain,
            .restoreFromTrash, .restoreVersion, .tidyAndEdit:
            true
        default: false
        }
    }

    /// A person looks at what is there first.
    var looksFirst: Bool {
        switch self {
        case .createFile, .createBinary, .openEditor, .savePackage: true
        default: false
        }
    }
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
