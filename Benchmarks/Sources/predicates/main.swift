import Ubiquity

// How long NSPredicate takes for a dictionary, beside a closure that is written by hand.
//
// usage: predicates COUNT      prints a JSON object a line for each predicate

typealias Note = [String: Any]

/// Made once, as a program would.
nonisolated(unsafe) let expression = /note [0-9]+7[.]md/

struct Measurement {
    let format: String
    let closure: (Note) -> Bool
}

let measurements = [
    Measurement(format: "name == 'note 77777.md'") { $0["name"] as? String == "note 77777.md" },
    Measurement(format: "bytes > 50000 AND favorite == YES") {
        ($0["bytes"] as? Int ?? 0) > 50_000 && $0["favorite"] as? Bool == true
    },
    Measurement(format: "name BEGINSWITH 'note 9' OR notebook == 'Work'") {
        ($0["name"] as? String ?? "").hasPrefix("note 9") || $0["notebook"] as? String == "Work"
    },
    Measurement(format: "notebook IN {'Home', 'Garden'}") {
        ["Home", "Garden"].contains($0["notebook"] as? String ?? "")
    },
    Measurement(format: "name CONTAINS[c] 'NOTE 12'") {
        ($0["name"] as? String ?? "").lowercased().contains("note 12")
    },
    Measurement(format: "name LIKE '*7.md'") {
        ($0["name"] as? String ?? "").hasSuffix("7.md")
    },
    Measurement(format: "name MATCHES 'note [0-9]+7[.]md'") {
        ($0["name"] as? String ?? "").wholeMatch(of: expression) != nil
    },
]

/// The same dictionaries as in GNUstep/predicates.m.
func notes(_ count: Int) -> [Note] {
    (0..<count).map { number in
        [
            "name": "note \(number).md", "bytes": number * 7919 % 100_000,
            "favorite": number % 3 == 0, "notebook": number % 2 == 0 ? "Home" : "Work",
        ]
    }
}

/// The matches, and the nanoseconds a note, of the best of three rounds.
func best(_ notes: [Note], _ condition: (Note) -> Bool) -> (matches: Int, nanoseconds: Double) {
    var result = (matches: 0, nanoseconds: Double.infinity)
    for _ in 0..<3 {
        var matches = 0
        let begun = processorNanoseconds()
        for note in notes where condition(note) { matches += 1 }
        let nanoseconds = (processorNanoseconds() - begun) / Double(notes.count)
        result = (matches, min(result.nanoseconds, nanoseconds))
    }
    return result
}

/// Of this process: what else the machine does is not measured.
func processorNanoseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
let all = notes(count)
for measurement in measurements {
    let predicate = NSPredicate(format: measurement.format)
    let ours = best(all) { predicate.evaluate(with: $0) }
    let closure = best(all, measurement.closure)
    let row: [String: Any] = [
        "predicate": measurement.format, "matches": ours.matches,
        "closure_matches": closure.matches, "ns": Int(ours.nanoseconds),
        "closure_ns": Int(closure.nanoseconds),
    ]
    let data = try JSONSerialization.data(withJSONObject: row, options: [.sortedKeys])
    print(String(decoding: data, as: UTF8.self))
}
