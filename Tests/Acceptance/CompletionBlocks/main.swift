// Runs the program of nested blocks on one device: commands come on standard input, a line each.
@preconcurrency import Glibc
import Ubiquity

let loader = BlockLoader()
setvbuf(stdout, nil, _IOLBF, 0)

func place(_ name: String) -> URL {
    let container = FileManager.default.url(forUbiquityContainerIdentifier: nil)
    return (container ?? URL(fileURLWithPath: "/"))
        .appendingPathComponent("Documents").appendingPathComponent(name)
}

@MainActor
func obey(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    switch (words.first, words.count) {
    case ("create", 2):
        loader.create(at: place(words[1]))
        Task {
            while loader.status.isEmpty { try? await Task.sleep(for: .milliseconds(20)) }
            print(loader.status)
        }
    case ("open", 2):
        let document = BlockNote(fileURL: place(words[1]))
        loader.doc = document
        document.open { print($0 ? "content: \(document.noteContent)" : "open failed") }
    case ("edit", 2):
        loader.doc?.noteContent = words[1]
        loader.doc?.updateChangeCount(.done)
    case ("show", 1): print("content: \(loader.doc?.noteContent ?? "none")")
    case ("finish", 1): loader.finish { print("finished") }
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

print("started")
RunLoop.main.run()
