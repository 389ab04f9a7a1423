import Glibc
import SyncCore

/// An open file or folder, closed with its last reference.
package final class Descriptor: Sendable {
    package let number: Int32

    /// Takes over an open descriptor.
    init(owning number: Int32) { self.number = number }

    deinit { close(number) }
}

/// A name in an open folder: where a directory entry is, whatever its path becomes meanwhile.
struct Spot: Sendable {
    let folder: Descriptor
    /// Ends with a zero.
    let name: [CChar]

    init(folder: Descriptor, name: [CChar]) {
        self.folder = folder
        self.name = name
    }

    init(_ folder: Descriptor, _ name: Name) {
        self.folder = folder
        self.name = name.bytes.map { CChar(bitPattern: $0) } + [0]
    }

    /// For names of the device's own.
    init(_ folder: Descriptor, _ name: String) {
        self.folder = folder
        self.name = name.utf8.map { CChar(bitPattern: $0) } + [0]
    }
}
