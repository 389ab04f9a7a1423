import Glibc

/// What the kernel did not do, and why.
package struct SystemError: Error, Hashable, Sendable {
    /// The system call's name.
    package let call: String
    package let code: Int32

    package init(_ call: String, code: Int32) {
        self.call = call
        self.code = code
    }
}

extension SystemError: CustomStringConvertible {
    package var description: String {
        "\(call): \(unsafe String(cString: strerror(code)))"
    }
}

extension SystemError {
    var isLackOfDescriptors: Bool { code == EMFILE || code == ENFILE }
}

extension DeviceClientError {
    init(connecting error: SystemError) {
        switch error.code {
        case ENOENT, ECONNREFUSED, ENOTDIR: self = .notRunning
        case EAGAIN: self = .timedOut
        default: self = .system(error)
        }
    }
}
