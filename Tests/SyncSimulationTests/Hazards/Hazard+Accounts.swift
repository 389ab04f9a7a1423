import SyncCore

@testable import SyncSimulation

/// The server, and key-values.
extension Hazard {
    static let accounts: [Hazard] = [
        Hazard(
            number: "39", title: "a server that dies between deciding and committing",
            mutants: [.acknowledgeBeforeCommit]
        ) { play in
            // Until an answer that is sent too early comes before the commit, if there is one.
            let isEarly = play.world.mutant == .acknowledgeBeforeCommit
            for _ in 0..<(isEarly ? 40 : 1) {
                play.write("n.md", lines: 3, on: 0)
                play.run { !$0.server.group.isEmpty }
                guard isEarly else { break }
                play.run { $0.server.group.isEmpty || $0.devices[0].request == nil }
                if !play.world.server.group.isEmpty { break }
            }
            play.world.crashServer(restartAfter: 2 * Scenario.second)
            play.settle()
            play.expect(play.lines("n.md", on: 1)?.count == 3, "it arrives")
        },
        Hazard(
            number: "45", title: "a clock ten years ahead",
            clockErrors: [0: 3650 * 86_400 * Scenario.second], mutants: [.deviceClockInStamps]
        ) { play in
            play.goOffline(0)
            play.set("k", to: "first", on: 0)
            play.settle()
            play.set("k", to: "later", on: 1)
            play.settle()
            play.goOnline(0)
            play.settle()
            play.expect(play.value("k", on: 0) == "later", "the later one is current")
            play.set("k", to: "causal", on: 1)
            play.settle()
            play.expect(play.value("k", on: 0) == "causal", "what replaces it wins")
        },
        Hazard(
            number: "46", title: "what was set before the first pull",
            joins: [1: 60 * Scenario.second], mutants: [.defaultsWin]
        ) { play in
            play.set("k", to: "the cloud's", on: 0)
            play.settle(seconds: 20)
            play.set("k", to: "a default", on: 1)
            play.settle(seconds: 90)
            play.expect(play.value("k", on: 1) == "the cloud's", "a default replaces nothing")
        },
        Hazard(number: "47", title: "more than there is room for") { play in
            var limits = AccountLimits()
            limits.values = 1_100
            play.world.server.authority = Authority(limits: limits)
            let big = String(repeating: "x", count: 600)
            play.set("one", to: big + "1", on: 0)
            play.settle()
            play.goOffline(0)
            play.set("two", to: big.prefix(400) + "2", on: 0)
            play.set("three", to: big.prefix(300) + "3", on: 1)
            play.settle()
            play.goOnline(0)
            play.settle()
            play.expect(play.value("two", on: 1) == nil, "it was too much")
            play.set("three", to: nil, on: 1)
            play.settle(seconds: 120)
            play.expect(play.value("two", on: 1)?.count == 401, "it is offered again")
        },
    ]
}
