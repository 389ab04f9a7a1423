// Runs the archive program on one device: commands come on standard input, a line each.
@preconcurrency import Glibc
import Ubiquity

let model = NotesModel.shared
model.reloadView = { show() }
setvbuf(stdout, nil, _IOLBF, 0)

@MainActor
func show() {
    let lines = model.allNotes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    print("notes: \(lines.joined(separator: ", "))")
}

@MainActor
func list() {
    model.loadCloudMetadata()
    Task {
        while model.fileNames.isEmpty { try? await Task.sleep(for: .milliseconds(20)) }
        print("files: \(model.fileNames.joined(separator: ", "))")
    }
}

@MainActor
func obey(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    switch (words.first, words.count) {
    case ("set", 3): model.setNote(words[2], forKey: words[1])
    case ("remove", 2): model.removeNote(forKey: words[1])
    case ("show", 1): show()
    case ("list", 1): list()
    case ("delete", 1):
        Task {
            do {
                try await model.deleteDocument()
                print("deleted")
            } catch {
                print("not deleted: \(error)")
            }
        }
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

model.open()
print("started")
RunLoop.main.run()
