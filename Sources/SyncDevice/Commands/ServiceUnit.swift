import DeviceSocket
import Glibc
import SyncCore
import SyncStore

/// The systemd user unit that runs a device's daemon with a person's session.
///
/// Its form is that of `systemd.unit(5)` and `systemd.service(5)`.
package struct ServiceUnit {
    /// The file's name.
    package let name: String
    package let text: [UInt8]

    /// For a program and, if it is not the usual one, a home.
    ///
    /// Homes with units of their own have names of their own.
    package init(program: [UInt8], home: [UInt8]?) {
        name =
            home.map { "ubiquity-\(SHA256.hash($0).text.prefix(8)).service" }
            ?? "ubiquity.service"
        var lines = [
            "[Unit]", "Description=Ubiquity: keeps this home in step with its account",
            "StartLimitIntervalSec=0", "", "[Service]",
        ].map { Array($0.utf8) }
        lines.append(Array("ExecStart=".utf8) + Self.quoted(program) + Array(" device run".utf8))
        if let home {
            let setting = Array("UBIQUITY_HOME=".utf8) + home
            lines.append(Array("Environment=".utf8) + Self.quoted(setting, isCommand: false))
        }
        // A home that another daemon has, or that cannot be written, may be free later.
        lines += [
            "Restart=on-failure", "RestartSec=5", "NoNewPrivileges=yes", "", "[Install]",
            "WantedBy=default.target", "",
        ].map { Array($0.utf8) }
        text = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// In double quotes, with what has a meaning there, or before, escaped.
    private static func quoted(_ bytes: [UInt8], isCommand: Bool = true) -> [UInt8] {
        var quoted = [UInt8(ascii: "\"")]
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "%"): quoted += [byte, byte]
            case UInt8(ascii: "$") where isCommand: quoted += [byte, byte]
            case 0x00..<0x20, 0x7F: quoted += Array("\\x\(hexadecimal([byte]))".utf8)
            default: quoted.append(byte)
            }
        }
        return quoted + [UInt8(ascii: "\"")]
    }

    /// Where systemd looks for a person's units; nil if no home folder is known.
    static func folder() -> [UInt8]? {
        if let path = unsafe getenv("XDG_CONFIG_HOME"), unsafe path.pointee == 0x2F {
            return Array(unsafe String(cString: path).utf8) + Array("/systemd/user".utf8)
        }
        guard let home = unsafe getenv("HOME") else { return nil }
        return Array(unsafe String(cString: home).utf8) + Array("/.config/systemd/user".utf8)
    }
}
