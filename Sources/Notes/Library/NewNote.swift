import Foundation
import NotesCore

extension NoteFolder {
    /// Makes the folders of a notebook that are missing; none of them may be a link.
    func makeNotebook(_ notebook: NotePath) throws(FileFailure) {
        var place = documents
        for name in notebook.bytes.split(separator: UInt8(ascii: "/")) {
            place += [UInt8(ascii: "/")] + name
            try FileSystem.makeFolder(place)
        }
    }

    /// Saves a text under the first free name that its title gives.
    func create(
        _ bytes: [UInt8], title: [UInt8], notebook: NotePath
    ) throws(FileFailure) -> NotePath {
        try makeNotebook(notebook)
        var file = try NewFile(near: container)
        try file.write(bytes[...])
        try file.finish()
        let name = NoteName(title: title)
        var number = 1
        while true {
            let path = notebook.appending(name.candidate(number))
            if try !hasPlaceholder(path), try file.place(at: place(of: path)) {
                try synchronizeFolder(of: path)
                return path
            }
            number += 1
        }
    }

    /// Makes the names in a file's folder durable.
    func synchronizeFolder(of path: NotePath) throws(FileFailure) {
        let folder = path.notebook.isEmpty ? documents : place(of: NotePath(path.notebook))
        try FileSystem.synchronize(try FileSystem.open(folder, O_RDONLY | O_DIRECTORY))
    }
}

/// Reads a notebook's name: folders below the folder of the notes.
func notebook(_ name: [UInt8]) throws(NotesFailure) -> NotePath {
    let names = name.split(separator: UInt8(ascii: "/")).map(Array.init)
    for name in names {
        let isSpecial = name == Array(".".utf8) || name == Array("..".utf8)
        guard !isSpecial, !NotePath(name).isTemporary else {
            throw .usage("\(shown(name)) cannot be a notebook")
        }
    }
    guard name.first != UInt8(ascii: "/") else {
        throw .usage("a notebook is named from the folder of the notes on, without / before it")
    }
    return NotePath(Array(names.joined(separator: [UInt8(ascii: "/")])))
}
