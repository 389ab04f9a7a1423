// Runs the key-value program on one device: commands come on standard input, a line each.
@preconcurrency import Glibc
import Ubiquity

let notes = NotesData()
notes.reloadView = { show() }
setvbuf(stdout, nil, _IOLBF, 0)

@MainActor
func show() {
    let lines = notes.allNotes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    print("notes: \(lines.joined(separator: ", "))")
}

@MainActor
func obey(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    switch (words.first, words.count) {
    case ("set", 3): notes.setNote(words[2], forKey: words[1])
    case ("delete", 2): notes.removeNote(forKey: words[1])
    case ("list", 1): show()
    case ("synchronize", 1):
        let isDone = NSUbiquitousKeyValueStore.default.synchronize()
        print("synchronized: \(isDone)")
    case ("quit", 1): exit(0)
    default: print("unknown command: \(line)")
    }
}

Thread.detachNewThread {
    while let line = readLine() {
        OperationQueue.main.addOperation { MainActor.assumeIsolated { obey(line) } }
    }
    OperationQueue.main.addOperation { exit(0) }
}

notes.start()
print("started")
RunLoop.main.run()
