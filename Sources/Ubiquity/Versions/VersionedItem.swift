import DeviceSocket
import Foundation
import SyncCore
import SyncWire
import Synchronization

/// A file in iCloud whose versions are asked for and settled.
struct VersionedItem: Sendable {
    let url: URL
    let path: [UInt8]
    private let session: DeviceSession

    /// Nil if the place is in no container.
    init?(url: URL, session: DeviceSession) {
        guard let path = session.path(of: url) else { return nil }
        self.url = url
        self.path = path
        self.session = session
    }

    /// The newest first, without deletions; nil if there is no such item.
    func versions() -> [NSFileVersion]? {
        let rows = try? session.ask { client throws(DeviceClientError) in
            try client.versions(path: path)
        }
        return rows?.filter { !$0.isDeletion }.map { NSFileVersion(self, $0) }
    }

    // MARK: Settling

    func isMarked(_ version: VersionID) -> Bool { session.marks.contains(path, version) }

    /// Marks a head as settled; when all heads beside the current one are, the daemon is told.
    func settle(_ version: VersionID) throws {
        session.marks.insert(path, version)
        do throws(DeviceClientError) {
            try settleIfAllAreMarked()
        } catch {
            throw CocoaError(
                .ubiquitousFileUnavailable, userInfo: [NSLocalizedDescriptionKey: "\(error)"])
        }
    }

    private func settleIfAllAreMarked() throws(DeviceClientError) {
        for attempt in 1... {
            let current = try shownContent().version
            let rows = try session.ask { client throws(DeviceClientError) in
                try client.versions(path: path)
            }
            let heads = rows.filter(\.isConflict).map(\.version)
            if heads.isEmpty { break }
            guard heads.allSatisfy({ session.marks.contains(path, $0) }) else { return }
            guard let current else {
                throw .refused(DeviceFailure(.notFound, "the file has no version yet"))
            }
            do throws(DeviceClientError) {
                _ = try session.ask { client throws(DeviceClientError) in
                    try client.call(
                        .resolve(path: path, keep: current, both: false, among: heads),
                        timeout: .seconds(30))
                }
                break
            } catch {
                // What was saved a moment ago is no head until the server has it.
                guard error.isStale, attempt < mostLooks else { throw error }
                usleep(pauseBetweenLooks)
            }
        }
        session.marks.clear(path)
    }

    /// What the file shows, also when it was saved a moment ago: then the daemon needs another.
    ///
    /// The stamp is the file's if it has the content of that version for sure.
    private func shownContent() throws(DeviceClientError) -> (version: VersionID?, FileStamp?) {
        let stamp = try? FileSystem.look(url.pathBytes)
        var version: VersionID?
        for _ in 0..<mostLooks {
            let row = try session.ask { client throws(DeviceClientError) in
                try client.items(path: path, .itself)
            }.first
            version = row?.version
            guard let row, let stamp else { return (version, nil) }
            if stamp.hasContent(of: row) { return (version, stamp) }
            usleep(pauseBetweenLooks)
        }
        return (version, nil)
    }

    // MARK: Content

    /// A file with the version's content, made now if it is not there.
    func copy(of row: VersionRow) -> URL {
        let place = placeOfCopy(row)
        let size = (try? FileSystem.look(place)).flatMap { $0?.size }
        if size != row.size, let data = try? content(of: row) {
            try? FileSystem.makePrivateFolders(place.folder)
            try? SafeWrite.replace(place, with: data)
        }
        return fileURL(place, isFolder: false)
    }

    func removeCopy(of row: VersionRow) { FileSystem.remove(placeOfCopy(row)) }

    private func placeOfCopy(_ row: VersionRow) -> [UInt8] {
        let state = session.home?.state ?? Array(NSTemporaryDirectory().utf8)
        let name = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
        return state.appending("versions").appending(row.version.text) + [UInt8(ascii: "/")] + name
    }

    private func content(of row: VersionRow) throws(DeviceClientError) -> Data {
        var data = Data()
        try session.ask { client throws(DeviceClientError) in
            data = Data()
            try client.content(path: path, version: row.version) { bytes in
                data += bytes
                return true
            }
        }
        return data
    }

    /// The program knows what the file shows, and puts this in its place: an edit made from it.
    func replace(_ target: URL, with row: VersionRow) throws {
        let data: Data
        // What was saved since, and nobody has a version of, is not known.
        var known: FileStamp?
        do throws(DeviceClientError) {
            data = try content(of: row)
            known = try noteRead()
        } catch {
            throw CocoaError(
                .ubiquitousFileUnavailable, userInfo: [NSLocalizedDescriptionKey: "\(error)"])
        }
        if target.pathBytes != url.pathBytes { known = try? FileSystem.look(target.pathBytes) }
        let replacement = FileReplacement(url: target, known: known, session: session)
        _ = try replacement.perform { temporary in try data.write(to: temporary) }
    }

    private func noteRead() throws(DeviceClientError) -> FileStamp? {
        let (version, stamp) = try shownContent()
        guard let current = version else { return nil }
        _ = try session.ask { client throws(DeviceClientError) in
            try client.call(.noteRead(path: path, version: current), timeout: .seconds(5))
        }
        return stamp
    }
}

extension DeviceClientError {
    fileprivate var isStale: Bool {
        if case .refused(let failure) = self { failure.code == .stale } else { false }
    }
}

private let mostLooks = 60
/// In microseconds.
private let pauseBetweenLooks: UInt32 = 50_000

/// The heads that this program has settled, of items whose other heads are still open.
final class ConflictMarks: Sendable {
    private let marks = Mutex<[[UInt8]: Set<VersionID>]>([:])

    func contains(_ path: [UInt8], _ version: VersionID) -> Bool {
        marks.withLock { $0[path]?.contains(version) ?? false }
    }

    func insert(_ path: [UInt8], _ version: VersionID) {
        marks.withLock { _ = $0[path, default: []].insert(version) }
    }

    func clear(_ path: [UInt8]) { marks.withLock { $0[path] = nil } }
}
