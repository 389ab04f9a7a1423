package import SyncWire

/// Why a program has no answer from the daemon.
package enum DeviceClientError: Error, Hashable, Sendable {
    /// No daemon runs on the home.
    case notRunning
    /// The daemon ended, or closed the connection.
    case disconnected
    /// No answer in time; whether it is still done is not known.
    case timedOut
    /// The daemon says no.
    case refused(DeviceFailure)
    /// The daemon's message cannot be read; an update may help.
    case unreadable(WireError)
    /// The request is larger than a message can be, or the daemon's message is.
    case tooLarge
    case system(SystemError)
}

extension DeviceClientError: CustomStringConvertible {
    /// For people, after the name of what they wanted.
    package var description: String {
        switch self {
        case .notRunning: "no device runs here; start it with `ubiquity device run`"
        case .disconnected:
            "the device's daemon ended meanwhile; start it with `ubiquity device run`, and look "
                + "whether it was done"
        case .timedOut:
            "the device's daemon did not answer in time and may still do it; `ubiquity status` "
                + "says how it stands"
        case .refused(let failure): failure.text
        case .unreadable(let error):
            error.needsNewerReader
                ? "the device's daemon is newer than this program; update it"
                : "the device's daemon sent what cannot be read: \(error)"
        case .tooLarge: "that is more than one message can hold; ask for less"
        case .system(let error): "\(error)"
        }
    }
}
