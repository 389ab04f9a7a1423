import SyncStore
import SyncTransport

/// Why a server does not run: one line that says what, why, and what to do.
package struct ServerStartFailure: Error, CustomStringConvertible {
    package let description: String

    init(opening error: StoreError, in folder: DataFolder) {
        let advice =
            switch error {
            case .diskFull: "free some space"
            case .busy: "end the program that holds it"
            case .newerSchema: "install that version or a later one"
            case .inputOutput: "see that the folder and its files belong to this user"
            case .corrupt, .other: "restore it from a backup"
            }
        description = "the database in \(folder.path) cannot be opened: \(error); \(advice)"
    }

    init(listening error: HTTPServerError, on address: ListenAddress) {
        let advice =
            switch error {
            case .addressInUse: "end that program, or choose another port with --listen"
            case .addressInvalid: "choose an address of this machine with --listen"
            case .notPermitted: "choose a port above 1023 with --listen"
            case .tls: "give a PEM certificate chain and its key to --tls-cert and --tls-key"
            case .system: "end other programs, or raise this user's limits"
            }
        description = "cannot listen on \(address): \(error); \(advice)"
    }

    init(_ error: SystemError) {
        description = "no thread can be started: \(error); end other programs, or raise the limits"
    }

    init(_ error: PasswordHashFailure) {
        description = "passwords cannot be checked: \(error); free some memory"
    }

    private init(_ description: String) { self.description = description }

    static func folder<Value>(
        _ body: () throws(DataFolderFailure) -> Value
    ) throws(ServerStartFailure) -> Value {
        do throws(DataFolderFailure) {
            return try body()
        } catch {
            throw ServerStartFailure(error.description)
        }
    }
}
