// Writes and reads one file under coordination, as one of several processes that do.
//
// usage: coordinated FILE COUNT NAME
// Each write is two lines, in two calls: a text and its checksum; whoever reads checks it. A line
// `hold` makes it take the file and say so, and keep it until the process is killed.
@preconcurrency import Glibc
import Ubiquity

setvbuf(stdout, nil, _IOLBF, 0)

func checksum(_ text: String) -> UInt64 {
    text.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
}

/// Replaces the content in place, with a moment in which it is torn.
func write(_ text: String, to url: URL) throws {
    try Data((text + "\n").utf8).write(to: url)
    let file = try FileHandle(forWritingTo: url)
    try file.seekToEnd()
    try file.write(contentsOf: Data("\(checksum(text))\n".utf8))
    try file.close()
}

/// The words of the text; nil for one that is torn.
func read(_ url: URL) throws -> [Substring]? {
    let lines = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 3, lines[1] == "\(checksum(String(lines[0])))" else { return nil }
    return lines[0].split(separator: " ")
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[2]) else {
    print("usage: coordinated FILE COUNT NAME")
    exit(2)
}
let url = URL(fileURLWithPath: arguments[1])
let name = arguments[3]

if count == 0 {
    NSFileCoordinator().coordinate(writingItemAt: url, options: .forMerging, error: nil) { _ in
        print("holding")
        while true { sleep(60) }
    }
}

var torn = 0
var failures = 0
for number in 1...max(count, 1) {
    var error: NSError?
    // Each write counts up what the last one, whoever made it, has left.
    NSFileCoordinator().coordinate(writingItemAt: url, options: .forMerging, error: &error) { url in
        do {
            guard let words = try read(url), let total = words.first.flatMap({ Int($0) }) else {
                torn += 1
                return
            }
            try write("\(total + 1) \(name) \(number)", to: url)
        } catch {
            failures += 1
        }
    }
    NSFileCoordinator().coordinate(readingItemAt: url, error: &error) { url in
        do { if try read(url) == nil { torn += 1 } } catch { failures += 1 }
    }
    if error != nil { failures += 1 }
}
print("done: torn \(torn), failures \(failures)")
