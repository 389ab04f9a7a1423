import CLinux
import Glibc
package import SyncCore

/// What stands on the disk, as it is at the moment of asking.
package struct DiskView: Sendable {
    private let folders: DeviceFolders

    package init(_ folders: DeviceFolders) { self.folders = folders }

    /// What stands at a slot whose path is given.
    ///
    /// Nil if the path does not lead to the folder any more: it was renamed a moment ago, and what
    /// another folder holds, or none, says nothing of this one.
    package func look(
        _ slot: Slot, at path: LocalPath, in folder: FileIdentity?
    ) throws(DiskError) -> Sighting? {
        let spot: Spot
        do {
            spot = try folders.spot(of: path)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
        guard try isFolder(spot.folder, folder) else { return nil }
        return Sighting(slot: slot, entry: try FileSystemCalls.lookIfThere(spot))
    }

    /// Whether a path's folder is the one that it is taken for.
    package func leads(_ path: LocalPath, to folder: FileIdentity?) -> Bool {
        do {
            return try isFolder(folders.spot(of: path).folder, folder)
        } catch {
            return false
        }
    }

    private func isFolder(
        _ open: Descriptor, _ expected: FileIdentity?
    ) throws(DiskError) -> Bool {
        guard let expected else { return true }
        return try FileSystemCalls.look(open).stamp.identity == expected
    }

    /// The folder's names, complete, in no order; watch the folder first.
    ///
    /// Nil if the path leads to another folder.
    package func list(
        _ folder: ItemID, at path: LocalPath, being identity: FileIdentity?
    ) throws(DiskError) -> [Sighting]? {
        let place = try folders.folder(at: path.names)
        guard try isFolder(place, identity) else { return nil }
        var sightings: [Sighting] = []
        for name in try FileSystemCalls.names(in: place) {
            // What is gone again by now is reported by its own event.
            guard let entry = try FileSystemCalls.lookIfThere(Spot(place, name)) else {
                continue
            }
            let slot = Slot(folder: folder, name: name)
            sightings.append(Sighting(slot: slot, entry: entry))
        }
        return sightings
    }
}

extension FileSystemCalls {
    /// The names in a folder, without the two dots.
    static func names(in folder: Descriptor) throws(DiskError) -> [Name] {
        let open = try openSelf(folder)
        var buffer = [UInt8](repeating: 0, count: 32_768)
        var names: [Name] = []
        while true {
            let count = unsafe clinux_read_folder(open.number, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .last("getdents64") }
            guard count > 0 else { return names }
            appendNames(of: buffer[..<count], to: &names)
        }
    }

    /// Reads records of inode (8 bytes), offset (8), length (2), type (1), name and a zero.
    private static func appendNames(of records: ArraySlice<UInt8>, to names: inout [Name]) {
        var start = records.startIndex
        while start + 19 <= records.endIndex {
            let length = Int(records[start + 16]) | Int(records[start + 17]) << 8
            guard length > 19, start + length <= records.endIndex else { return }
            let field = records[(start + 19)..<(start + length)]
            if let name = Name(Array(field.prefix { $0 != 0 })) { names.append(name) }
            start += length
        }
    }
}
