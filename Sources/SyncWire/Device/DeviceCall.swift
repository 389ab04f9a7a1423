package import SyncCore

/// What a program asks of the device's daemon.
///
/// Paths are bytes, names joined by `/`, from the folder that holds the containers:
/// `CONTAINER-ID/Documents/a.txt`. Stores and keys are UTF-8; values are opaque.
package enum DeviceCall: Hashable, Sendable {
    /// Answered with ``DeviceReply/status(_:)``.
    case status
    /// Answered with ``DeviceReply/waited(_:)`` when everything local and remote is in place, or at
    /// the timeout with what is missing.
    case wait(milliseconds: UInt64)
    /// The items in a container or folder, or the one item itself; answered with
    /// ``DeviceReply/items(_:)``, in parts. An empty path lists the containers.
    case items(path: [UInt8], ItemsDepth)
    /// A stretch of a file's bytes, or of one of its versions; answered with
    /// ``DeviceReply/content(_:)``. The program asks for the next stretch when it has taken this
    /// one, so that a large file fills nobody's memory.
    case content(path: [UInt8], version: VersionID?, offset: UInt64)
    /// Answered with ``DeviceReply/conflicts(_:)``.
    case conflicts
    /// Answered with ``DeviceReply/versions(_:)``, the newest first.
    case versions(path: [UInt8])
    /// Keeps one head; the others become old versions or, with `both`, a second item. Answered
    /// with ``DeviceReply/done`` when it is on the disk.
    ///
    /// The program knew of the heads in `among`; if that is empty, a person knew of those that were
    /// told with ``noteTold(path:_:)``. Of other heads none is dropped: it is refused.
    case resolve(path: [UInt8], keep: VersionID, both: Bool, among: [VersionID])
    /// A person has these versions of the file in a list. Answered with ``DeviceReply/done``.
    case noteTold(path: [UInt8], [VersionID])
    /// Answered with ``DeviceReply/value(_:)``.
    case value(store: [UInt8], key: [UInt8])
    /// Nil removes the key. Answered with ``DeviceReply/done`` when it is durable here.
    case setValue(store: [UInt8], key: [UInt8], value: [UInt8]?)
    /// Answered with ``DeviceReply/values(_:)``, in parts.
    case values(store: [UInt8])
    /// Answered with ``DeviceReply/explanation(_:)``.
    case why(path: [UInt8])
    /// The container shall exist here and in the account; answered with its absolute path, as
    /// ``DeviceReply/folder(_:)``, when its `Documents` is there.
    case openContainer(id: [UInt8])
    /// The program has read this version of the file: its next save is made from it.
    case noteRead(path: [UInt8], version: VersionID)
    /// Answered with ``DeviceReply/items(_:)``, all that is in the container now, in parts; from
    /// then on each change comes as an event of this request.
    case watchItems(path: [UInt8])
    /// Answered with ``DeviceReply/values(_:)``, all that is in the store now, in parts; from then
    /// on each change from elsewhere comes as an event of this request.
    case watchValues(store: [UInt8])
    /// Answered with ``DeviceReply/status(_:)``; from then on each change comes as an event.
    case watchStatus
    /// No more events or parts of that request, please; answered with ``DeviceReply/done``.
    case cancel(request: UInt64)
    /// The files that say which account this home belongs to were changed by `join` or `leave`.
    case accountChanged
    /// What was deleted and can be brought back, and what has no place; answered with
    /// ``DeviceReply/trash(_:)``, in parts.
    case trash
    /// Brings an item of the trash back; answered with ``DeviceReply/done`` when it is on the disk.
    case restoreItem(ItemID)
    /// Makes an old version current again; answered with ``DeviceReply/done`` when it is on the
    /// disk.
    case restoreVersion(path: [UInt8], VersionID)
    /// What waits for a person's word is meant; if not, what is missing is put back.
    case confirm(isMeant: Bool)
    /// Where an item's content is to be, of a folder those of all that is in it; answered with
    /// ``DeviceReply/done`` when it is so on the disk, or with a failure that names what is not.
    case setResidence(path: [UInt8], ItemResidence)
    /// The device keeps so many bytes of its disk free, by evicting what was not used for longest;
    /// 0 ends that. Answered with ``DeviceReply/done``.
    case keepFree(bytes: UInt64)
    /// The device brings and sends no more bytes a second than so many; 0 ends a limit, nil leaves
    /// it. Answered with ``DeviceReply/done``.
    case limit(up: UInt64?, down: UInt64?)
    /// The items below a path that a condition is true of; answered with
    /// ``DeviceReply/found(_:)``, in parts that are ``DeviceReply/items(_:)``. If it is live, each
    /// change comes from then on as a ``DeviceEvent/found(_:)`` of this request.
    case find(ItemSearch)
    /// From a later version; to be answered with ``DeviceFailure/Code/unsupported``.
    case unknown(UInt64)
}

/// How far below a path a listing goes.
package enum ItemsDepth: UInt8, Hashable, Sendable, CaseIterable {
    case itself = 0
    case children = 1
    case all = 2
    /// All below it that had been deleted and came back with a restored server.
    case returned = 3
}

/// One call, with a number that its answers carry; several may be under way.
package struct DeviceRequest: Hashable, Sendable {
    /// Not used before on this connection.
    package let id: UInt64
    package let call: DeviceCall

    package init(id: UInt64, call: DeviceCall) {
        self.id = id
        self.call = call
    }
}
