// Runs the document program on one device: commands come on standard input, a line each.
@preconcurrency import Glibc
import Ubiquity

let loader = NoteLoader()
loader.onReload = { print("note: \($0)") }
setvbuf(stdout, nil, _IOLBF, 0)

@MainActor
func obey(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    switch words.first {
    case "edit": loader.edit(words.count > 1 ? words[1] : "")
    case "show": print("note: \(loader.doc?.noteContent ?? "none")")
    case "state": print("state: \(loader.doc?.documentState.rawValue ?? 0)")
    case "close":
        loader.doc?.close { print($0 ? "closed" : "not closed") }
    case "quit": exit(0)
    default: print("unknown command: \(line)")
    }
}

Thread.detachNewThread {
    while let line = readLine() {
        OperationQueue.main.addOperation { MainActor.assumeIsolated { obey(line) } }
    }
    OperationQueue.main.addOperation { exit(0) }
}

loader.start()
RunLoop.main.run()
