import Foundation
import NotesCore

/// What there is to import in a folder and the folders below it, in the order of the names.
struct FolderSurvey {
    private(set) var findings: [Finding] = []
    private let source: [UInt8]

    /// A file to copy, or something that stays out.
    enum Finding: Sendable {
        case file(NotePath, FileFacts)
        case skipped(NotePath, reason: String)
    }

    /// Looks at everything; follows no link, and opens no hidden folder.
    init(of source: [UInt8]) {
        self.source = source
        take(folder: NotePath([]))
    }

    private func origin(_ path: NotePath) -> [UInt8] {
        path.bytes.isEmpty ? source : source + [UInt8(ascii: "/")] + path.bytes
    }

    private mutating func take(folder path: NotePath) {
        do throws(FileFailure) {
            for name in try FileSystem.names(in: origin(path)) {
                take(entry: path.appending(name))
            }
        } catch {
            skip(path, error.reason)
        }
    }

    private mutating func take(entry path: NotePath) {
        do throws(FileFailure) {
            guard let facts = try FileSystem.look(origin(path)) else { return }
            switch facts.kind {
            case .folder where path.name.first == UInt8(ascii: "."):
                skip(path, "a hidden folder: settings, trash and the like stay out")
            case .folder: take(folder: path)
            case .file: take(file: path, facts)
            case .link: skip(path, "a symbolic link")
            case .other: skip(path, "not a file")
            }
        } catch {
            skip(path, error.reason)
        }
    }

    private mutating func take(file path: NotePath, _ facts: FileFacts) {
        if path.isTemporary {
            skip(path, "the name of a temporary file, which is never synced")
        } else if path.isPlaceholder {
            skip(path, "not downloaded: a placeholder without content")
        } else {
            findings.append(.file(path, facts))
        }
    }

    private mutating func skip(_ path: NotePath, _ reason: String) {
        findings.append(.skipped(path, reason: reason))
    }
}

extension NotePath {
    /// Whether the name is `.NAME.icloud`.
    fileprivate var isPlaceholder: Bool {
        let (name, ending) = (name, Array(".icloud".utf8))
        return name.first == UInt8(ascii: ".") && name.count > ending.count + 1
            && Array(name.suffix(ending.count)) == ending
    }
}
