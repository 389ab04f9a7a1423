// A program that types into a document, is ended by a signal, and says what it was told before.
//
// usage: ended FILE [block]
// With `block` its main thread comes back to nothing more.
@preconcurrency import Glibc
import Ubiquity

@MainActor
final class TypedDocument: UIDocument {
    var text = ""

    override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }
}

@main
@MainActor
struct EndedProgram {
    static func main() async {
        setvbuf(stdout, nil, _IOLBF, 0)
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else {
            print("usage: ended FILE [block]")
            exit(2)
        }
        let document = TypedDocument(fileURL: URL(fileURLWithPath: arguments[1]))
        let token = NotificationCenter.default.addObserver(
            forName: UIApplication.willTerminateNotification, object: nil, queue: .main
        ) { _ in
            print("about to end")
            MainActor.assumeIsolated {
                document.text += " and this"
                document.updateChangeCount(.done)
            }
        }
        document.text = "first"
        guard await document.save(to: document.fileURL, for: .forCreating) else { exit(1) }
        document.text = "typed"
        document.updateChangeCount(.done)
        print("typed")
        if arguments.count > 2 { while true { sleep(60) } }
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
        withExtendedLifetime((document, token)) {}
    }
}
