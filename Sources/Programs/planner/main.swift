import SyncSimulation

// What single changes cost a replica in trees of so many files, a JSON object a line.

let sizes = CommandLine.arguments.dropFirst().compactMap { Int($0) }
for files in sizes {
    guard let costs = TreeCost.all(files: files) else {
        print("planner: this build does not count")
        break
    }
    for cost in costs {
        print(
            #"{"files": \#(files), "change": "\#(cost.change)", "touched": \#(cost.touched), "#
                + #""changed": \#(cost.changed), "depth": \#(cost.depth), "#
                + #""factor": \#((cost.factor * 10).rounded() / 10)}"#)
    }
}
