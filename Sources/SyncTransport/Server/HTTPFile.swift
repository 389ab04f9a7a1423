import Glibc

/// An open file that answers are sent from; closed when the last of them is done with it.
package final class HTTPFile: Sendable {
    let descriptor: Int32

    /// Takes over the descriptor.
    ///
    /// The bytes to be sent must not be cut off while they are sent.
    package init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }
}
