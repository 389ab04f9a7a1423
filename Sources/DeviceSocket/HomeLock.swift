import Glibc

/// The right to be a home's daemon: the kernel gives it up with the process, however that ends.
package final class HomeLock: Sendable {
    package let home: DeviceHome
    private let descriptor: Int32

    /// Makes the home's own folder if it is not there.
    package init(home: DeviceHome) throws(HomeLockError) {
        do throws(SystemError) {
            try makePrivateFolder(home.path)
            try makePrivateFolder(home.state)
            descriptor = try openPrivateFile(home.lock)
        } catch {
            throw .system(error)
        }
        self.home = home
        guard try takeLock(descriptor) else {
            throw .held(process: writtenProcess(descriptor))
        }
    }

    deinit { closeDescriptor(descriptor) }
}

package enum HomeLockError: Error, Hashable, Sendable {
    /// Another daemon runs on the home; its process number, if it could be read.
    case held(process: Int32?)
    case system(SystemError)
}

private func takeLock(_ descriptor: Int32) throws(HomeLockError) -> Bool {
    do throws(SystemError) {
        guard try lockWithoutWaiting(descriptor) else { return false }
        // For people who look who has it; the lock itself is the kernel's.
        try replaceContent(of: descriptor, with: "\(getpid())\n")
        return true
    } catch {
        throw .system(error)
    }
}

private func writtenProcess(_ descriptor: Int32) -> Int32? {
    let bytes = firstBytes(of: descriptor, 20).prefix { $0 != UInt8(ascii: "\n") }
    return Int32(String(decoding: bytes, as: UTF8.self))
}
