import Glibc

/// A system call that failed.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    package let call: String
    package let code: Int32

    package init(_ call: String, _ code: Int32) {
        self.call = call
        self.code = code
    }

    /// The last error of the calling thread.
    static func last(_ call: String) -> SystemError {
        SystemError(call, errno)
    }

    package var description: String {
        let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return "\(call): \(text)"
    }
}
