package import SyncCore

/// What the watcher saw.
package enum WatchEvent: Hashable, Sendable {
    /// Look at the name: it may have changed, and its writer is done, or has been quiet.
    case changed(Slot)
    /// Somebody writes to the file in place; when it is done, ``changed(_:)`` is told.
    case writing(Slot)
    /// The folder has another place now, or another folder's parent has: look for it.
    case folderMoved(ItemID)
    /// The folder is gone, and with it its watch.
    case folderGone(ItemID)
    /// Something happened below a package's folder.
    case stirred(FileIdentity)
    /// Another program opened or read the file that was watched for that.
    case opened(ItemID)
    /// Events were lost: every watched folder is to be listed again.
    case overflow
    /// All that happened before ``Watcher/barrier()`` gave this marker has been told.
    case passed(Marker)
}

/// A point in the order of what happens on disk.
package struct Marker: Hashable, Comparable, Sendable {
    let number: UInt64

    package static func < (one: Marker, other: Marker) -> Bool { one.number < other.number }
}
