import SyncCore

/// An open editor: it holds what it read once, whatever the disk shows by now.
struct Editor {
    let path: [Name]
    var text: [UInt8]
    /// The lines that it has read or written.
    var tokens: [Token]
    /// Its earlier texts, the newest last.
    var history: [[UInt8]] = []
}

/// A program of a person's that takes several steps to do its work.
struct RunningProgram {
    enum Work {
        case save(Saving)
        case append([UInt8])
        /// Removes these, files before their folders.
        case removeTree([[Name]])
        /// Moves the file into a folder that was made a moment ago, and edits it there.
        case tidy(into: [Name])
        case savePackage
    }

    struct Saving {
        let way: SavingWay
        let bytes: [UInt8]
        /// What its writer had read of the document.
        let read: [Token]
    }

    let path: [Name]
    let work: Work
    let salt: UInt64
    var step = 0
    var inode: InodeNumber?
    /// Where the program keeps its temporary or backup file.
    var aside: DiskPlace?
    /// What the device's program knew under the name that it moved away.
    var known: [UInt8] = []
    /// When it moved the old file out of the way.
    var movedAside: Int64?
    /// The members of a package that is being saved, as they are to be.
    var texts: [[UInt8]] = []
}
