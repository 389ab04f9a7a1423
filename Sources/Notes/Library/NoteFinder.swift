import Foundation
import NotesCore

/// Finds the note that a person names: by a path, an id or the start of one, or its title.
struct NoteFinder {
    private let folder: NoteFolder
    private let items: [NoteItem]

    init(_ folder: NoteFolder) async throws(NotesFailure) {
        self.folder = folder
        items = try await folder.items()
    }

    /// The one note that fits; a whole id and a path go before anything else.
    func find(_ name: [UInt8]) async throws(NotesFailure) -> NoteItem {
        if let item = items.first(where: { Array($0.id.utf8) == name }) { return item }
        if let item = try await item(atPath: name) { return item }
        let candidates = candidates(name)
        guard let first = candidates.first else {
            throw .failed("no note is called \(shown(name)): see `notes list`")
        }
        guard candidates.count == 1 else { throw ambiguous(name, candidates) }
        return first
    }

    // MARK: Paths

    private func item(atPath name: [UInt8]) async throws(NotesFailure) -> NoteItem? {
        let paths = paths(name)
        for path in paths {
            if let item = items.first(where: { $0.path == path }) { return item }
        }
        // The daemon may not have seen a file that was just made.
        for path in paths where path.isNote {
            let facts = try? FileSystem.look(folder.place(of: path))
            if facts?.kind == .file { return try await folder.item(of: path) }
        }
        return nil
    }

    /// From the folder of the notes or, if it is in there, from the working folder.
    private func paths(_ name: [UInt8]) -> [NotePath] {
        var paths: [NotePath] = []
        if name.first == UInt8(ascii: "/") {
            if let path = folder.path(ofAnyPlace: name) { paths.append(path) }
        } else {
            if let working = FileSystem.workingFolder(),
                let path = folder.path(ofAnyPlace: working + [UInt8(ascii: "/")] + name)
            {
                paths.append(path)
            }
            paths.append(NotePath(name))
        }
        // A mere word may be a title too, and another note's as well.
        guard name.contains(UInt8(ascii: "/")) else { return paths }
        return paths + paths.map { NotePath($0.bytes + Array(".md".utf8)) }
    }

    // MARK: Ids and titles

    /// Those that the name fits as it was typed or, without any, in another case.
    private func candidates(_ name: [UInt8]) -> [NoteItem] {
        let named = items.map { (item: $0, title: title(of: $0)) }
        let exact = named.filter { $0.title == name || $0.item.path.stem == name }
        let folded = folded(name)
        let fitting =
            exact.isEmpty
            ? named.filter {
                self.folded($0.title) == folded || self.folded($0.item.path.stem) == folded
            } : exact
        let prefix = Array(text(name).lowercased().utf8)
        return named.map(\.item).filter { item in
            fitting.contains { $0.item.id == item.id }
                || (prefix.count >= shortestPrefix && item.id.utf8.starts(with: prefix))
        }
    }

    /// Empty for a note that is not here.
    private func title(of item: NoteItem) -> [UInt8] {
        guard item.isHere, let content = try? FileContent.read(folder.place(of: item.path)) else {
            return []
        }
        return Note(path: item.path, bytes: content.bytes).title
    }

    /// Forms of one text that look the same are the same here.
    private func folded(_ name: [UInt8]) -> String { text(name).lowercased() }

    private func ambiguous(_ name: [UInt8], _ items: [NoteItem]) -> NotesFailure {
        let list = items.prefix(10).map { "\($0.id.prefix(8)) \(shown($0.path.bytes))" }
        let more = items.count > 10 ? " and \(items.count - 10) more" : ""
        return .failed(
            "\(shown(name)) names \(items.count) notes, give an id or a path: "
                + list.joined(separator: ", ") + more)
    }
}

/// A shorter word is never taken for the start of an id.
private let shortestPrefix = 4
