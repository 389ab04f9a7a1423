import Glibc
import SyncCore

/// The folders of a device's home: the containers, and the device's own beside them.
///
/// All are on one file system, so that a rename leads from one into another. The containers are
/// looked up anew by every call: a folder that was put in their place is seen at once.
package final class DeviceFolders: Sendable {
    let home: Descriptor
    /// What is on its way into the tree, or came out of it and is not judged yet.
    let staging: Descriptor
    /// Items that are out of the way of others, each under its id.
    let parked: Descriptor
    /// What nobody knew and nothing may destroy.
    let setAside: Descriptor
    /// Contents that wait to be sent.
    let chunks: Descriptor
    /// Contents that are on their way here, as far as they have come.
    let downloads: Descriptor
    /// The file system may show another name than it was given.
    let manglesNames: Bool

    package static var containersName: String { "Containers" }
    package static var stateName: String { ".ubiquity" }

    /// Opens a home and makes what is missing of the device's own folders, not the containers.
    package init(home path: [UInt8]) throws(DiskError) {
        home = try FileSystemCalls.openHome(path)
        let state = try Self.ownFolder(Spot(home, Self.stateName))
        staging = try Self.ownFolder(Spot(state, "staging"))
        parked = try Self.ownFolder(Spot(state, "parked"))
        setAside = try Self.ownFolder(Spot(state, "set-aside"))
        chunks = try Self.ownFolder(Spot(state, "chunks"))
        downloads = try Self.ownFolder(Spot(state, "downloads"))
        manglesNames = FileSystemCalls.manglesNames(home)
        try FileSystemCalls.sync(state)
    }

    /// How much was set aside; 0 also where it cannot be looked at.
    package var countSetAside: Int { (try? FileSystemCalls.names(in: setAside).count) ?? 0 }

    /// Makes the folder of the containers, if it is missing.
    ///
    /// Throws `EXDEV` if it is on another file system than the device's own folders, or mounted
    /// from the same one: nothing could be renamed into it.
    package func makeContainers() throws(DiskError) {
        let spot = Spot(home, Self.containersName)
        do {
            try FileSystemCalls.makeFolder(spot, mode: 0o755)
        } catch {
            guard error.isTaken else { throw error }
        }
        guard try !areContainersApart() else { throw DiskError(code: EXDEV, call: "renameat2") }
        try FileSystemCalls.sync(home)
    }

    /// Whether nothing can be renamed from the device's own folders into that of the containers;
    /// false if there is none yet.
    package func areContainersApart() throws(DiskError) -> Bool {
        do {
            let containers = try FileSystemCalls.openFolder(Spot(home, Self.containersName))
            // The kernel looks at the mounts before it looks at the names.
            try FileSystemCalls.rename(
                Spot(staging, "not there"), to: Spot(containers, ".ubiquity-not-there"))
            return false
        } catch {
            guard !error.isMissing else { return false }
            guard error.code == EXDEV else { throw error }
            return true
        }
    }

    /// The number that the kernel gives the home's file system now; 0 if it cannot be asked.
    package var deviceNumber: UInt64 {
        (try? FileSystemCalls.look(staging).stamp.identity.device) ?? 0
    }

    private static func ownFolder(_ spot: Spot) throws(DiskError) -> Descriptor {
        do {
            try FileSystemCalls.makeFolder(spot, mode: 0o700)
        } catch {
            guard error.isTaken else { throw error }
        }
        return try FileSystemCalls.openFolder(spot)
    }
}

extension DeviceFolders {
    /// Opens a folder of the tree for use in other calls.
    func folder(at names: some Collection<Name>) throws(DiskError) -> Descriptor {
        var place = home
        var piece = Array(Self.containersName.utf8)
        for name in names {
            // One call takes a path of 4,096 bytes with its zero.
            if piece.count + 1 + name.bytes.count >= Int(PATH_MAX) {
                place = try Self.open(place, piece)
                piece = []
            }
            if !piece.isEmpty { piece.append(UInt8(ascii: "/")) }
            piece.append(contentsOf: name.bytes)
        }
        return try Self.open(place, piece)
    }

    /// Where the path's last name is; the folder that holds it must be there.
    func spot(of path: LocalPath) throws(DiskError) -> Spot {
        guard let name = path.names.last else { return Spot(home, Self.containersName) }
        return Spot(try folder(at: path.names.dropLast()), name)
    }

    static func open(
        _ start: Descriptor, _ path: [UInt8]
    ) throws(DiskError) -> Descriptor {
        do {
            let piece = path.map { CChar(bitPattern: $0) } + [0]
            return try FileSystemCalls.openFolder(start, path: piece)
        } catch {
            // Some sandboxes do not let openat2 through.
            guard error.code == ENOSYS || error.code == EPERM else { throw error }
            return try openStepwise(start, path)
        }
    }

    /// The same name by name.
    static func openStepwise(
        _ start: Descriptor, _ path: [UInt8]
    ) throws(DiskError) -> Descriptor {
        var place = start
        for part in path.split(separator: UInt8(ascii: "/")) {
            guard let name = Name(Array(part)) else {
                throw DiskError(code: ENAMETOOLONG, call: "openat")
            }
            place = try FileSystemCalls.openFolder(Spot(place, name))
        }
        return place
    }
}
