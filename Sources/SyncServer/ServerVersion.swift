/// The version that the server says it is.
package enum ServerVersion {
    package static let text = "0.1.0"
}
