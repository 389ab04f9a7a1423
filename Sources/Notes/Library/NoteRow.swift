import Foundation
import NotesCore

/// A note as it is listed, in the shape that scripts rely on.
struct NoteRow: Encodable {
    let id: String
    let title: String
    let notebook: String
    /// Absolute.
    let path: String
    /// In base64, if the path is no UTF-8.
    let pathBytes: String?
    let created: String
    let modified: String
    let favorite: Bool
    let pinned: Bool
    let tags: [String]
    let snippet: String
    /// Whether the content is on this device; without it the title is the file's name.
    let downloaded: Bool
    let conflicts: Bool

    /// Nil if it turns out that there is no file any more, or another kind of thing.
    init?(_ item: NoteItem, in folder: NoteFolder) {
        let content = try? FileContent.read(folder.place(of: item.path))
        if content == nil, item.isHere { return nil }
        self.init(item, content?.bytes, content?.facts, folder)
    }

    init(_ item: NoteItem, _ bytes: [UInt8]?, _ facts: FileFacts?, _ folder: NoteFolder) {
        let note = Note(path: item.path, bytes: bytes ?? [])
        let place = folder.place(of: item.path)
        id = item.id
        title = text(note.title)
        notebook = text(item.path.notebook)
        path = text(place)
        pathBytes = String(validating: place, as: UTF8.self) == nil ? base64(place) : nil
        let modified = facts?.modified ?? item.modified.map { NoteTime($0) } ?? .epoch
        self.modified = isoText(modified)
        created = isoText(note.created ?? item.firstKnown(modified))
        favorite = note.isFavorite
        pinned = note.isPinned
        tags = note.tags.map(text)
        snippet = text(note.snippet)
        downloaded = bytes != nil
        conflicts = item.hasConflicts
    }
}

extension NoteItem {
    /// A file that came from elsewhere was changed before it was made here.
    fileprivate func firstKnown(_ modified: NoteTime) -> NoteTime {
        guard let created = created.map({ NoteTime($0) }) else { return modified }
        return min(created, modified)
    }
}

extension NoteTime {
    static let epoch = NoteTime(seconds: 0, nanoseconds: 0)

    init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let rest = (date.timeIntervalSince1970 - seconds) * 1_000_000_000
        self.init(seconds: Int64(seconds), nanoseconds: UInt32(min(max(rest, 0), 999_999_999)))
    }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
