/// A home's socket as it can be named to the kernel, however long the home's path is.
///
/// A path that has no room in a socket's address is reached through the folder's descriptor.
struct SocketPlace: ~Copyable {
    let path: [UInt8]
    private let folder: Int32?

    init(home: DeviceHome) throws(SystemError) {
        guard !fitsSocketAddress(home.socket) else {
            path = home.socket
            folder = nil
            return
        }
        let folder = try openFolder(home.state)
        path = Array("/proc/self/fd/\(folder)/socket".utf8)
        self.folder = folder
    }

    deinit {
        if let folder { closeDescriptor(folder) }
    }
}
