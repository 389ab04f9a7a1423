// The name is Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension NSNotification.Name {
    /// The device has joined another account, or none.
    ///
    /// Posted on the main queue, without an object; read `ubiquityIdentityToken` again. Programs
    /// hear of it once they have asked for the token, a container or the key-value store.
    public static let NSUbiquityIdentityDidChange = NSNotification.Name(
        "NSUbiquityIdentityDidChangeNotification")
}
