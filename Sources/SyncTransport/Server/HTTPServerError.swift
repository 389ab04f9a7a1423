/// Why a server could not start.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
    /// Another program listens there.
    case addressInUse(String)
    /// The address is no numeric address, or none of this machine.
    case addressInvalid(String)
    /// The port needs rights that this process lacks.
    case notPermitted(String)
    /// The certificate or its key cannot be used.
    case tls(String)
    case system(SystemError)

    package var description: String {
        switch self {
        case .addressInUse(let address): "\(address) is in use by another program"
        case .addressInvalid(let address): "\(address) is not an address of this machine"
        case .notPermitted(let address): "listening on \(address) is not permitted"
        case .tls(let reason): "TLS: \(reason)"
        case .system(let error): error.description
        }
    }
}
