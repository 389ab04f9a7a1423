// Runs the browser program on one device: commands come on standard input, a line each.
@preconcurrency import Glibc
import Ubiquity

let browser = CloudBrowser()
var watcher: FolderWatcher?
var package: PackageDocument?
var note: UndoNote?
setvbuf(stdout, nil, _IOLBF, 0)

func place(_ name: String) -> URL {
    let container = FileManager.default.url(forUbiquityContainerIdentifier: nil)
    return (container ?? URL(fileURLWithPath: "/"))
        .appendingPathComponent("Documents").appendingPathComponent(name)
}

@MainActor
func show() {
    let lines = browser.entries.sorted { $0.name < $1.name }.map { entry in
        let state = (entry.isDownloaded ? "here" : "away") + (entry.isUploaded ? " sent" : "")
        return "\(entry.url.lastPathComponent) \(entry.size) \(state)"
            + (entry.inConflict ? " conflict" : "")
    }
    print("entries: \(lines.joined(separator: ", "))")
}

@MainActor
func answer(_ name: String, _ body: () throws -> String) {
    do { print("\(name): \(try body())") } catch { print("\(name) failed: \(error)") }
}

@MainActor
func openPackage(_ name: String) {
    let document = PackageDocument(fileURL: place(name))
    package = document
    Task {
        print(await document.open() ? "package: \(document.text) \(document.tags)" : "no package")
    }
}

@MainActor
func makePackage(_ name: String, _ text: String) {
    let document = PackageDocument(fileURL: place(name))
    package = document
    document.text = text
    document.tags = ["one", "two"]
    Task {
        let isSaved = await document.save(to: document.fileURL, for: .forCreating)
        print(isSaved ? "package made" : "package not made")
    }
}

@MainActor
func typeNote(_ name: String, _ text: String) {
    let document = UndoNote(fileURL: place(name))
    note = document
    document.setText(text)
    print("unsaved: \(document.hasUnsavedChanges)")
    document.undoManager.undo()
    print("undone: \(document.hasUnsavedChanges) '\(document.text)'")
    document.undoManager.redo()
    Task {
        let isSaved = await document.save(to: document.fileURL, for: .forCreating)
        print("note saved: \(isSaved) \(document.hasUnsavedChanges)")
    }
}

@MainActor
func obey(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    switch (words.first, words.count) {
    case ("start", 2): browser.start(matching: words[1])
    case ("entries", 1): show()
    case ("watch", 1):
        watcher = FolderWatcher(folder: place("")) { print("seen: \($0.lastPathComponent)") }
        print("watching")
    case ("unwatch", 1):
        watcher?.stop()
        print("not watching")
    case ("move", 2):
        let file = URL(fileURLWithPath: words[1])
        Task {
            do {
                try await browser.moveIntoCloud(file)
                print("moved: \(file.lastPathComponent)")
            } catch {
                print("not moved: \(error)")
            }
        }
    case ("read", 2):
        let (browser, url) = (browser, place(words[1]))
        Task.detached {
            let text = try? String(decoding: browser.readCoordinated(url), as: UTF8.self)
            print("read: \(text ?? "nothing")")
        }
    case ("download", 2):
        answer("download") {
            try browser.download(place(words[1]))
            return "asked"
        }
    case ("evict", 2):
        answer("evict") {
            try browser.evict(place(words[1]))
            return "done"
        }
    case ("package", 3): makePackage(words[1], words[2])
    case ("package", 2): openPackage(words[1])
    case ("note", 3): typeNote(words[1], words[2])
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
