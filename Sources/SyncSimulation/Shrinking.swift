/// Makes a failing schedule short enough to be read.
package struct Shrinking {
    private let trial: Trial
    private let promise: String
    /// How many more schedules may be run.
    private var left: Int

    /// Nil if the schedule breaks nothing.
    package init?(_ trial: Trial) {
        guard let promise = trial.report().violations.first?.promise else { return nil }
        self.trial = trial
        self.promise = promise
        // Each attempt at what never rests takes long.
        left = promise == Simulation.rest ? 60 : 500
    }

    /// The shortest schedule that was found to break the same promise, told.
    package mutating func shortest() -> Report {
        var plan = trial.plan
        withoutWeather(&plan)
        withoutKinds(&plan)
        withoutDevices(&plan)
        withoutEvents(&plan)
        withoutWeather(&plan)
        var shortest = trial
        shortest.plan = plan
        return shortest.report(isTold: true)
    }

    private mutating func stillFails(_ plan: Plan) -> Bool {
        guard left > 0 else { return false }
        left -= 1
        var shorter = trial
        shorter.plan = plan
        return shorter.report().violations.first?.promise == promise
    }

    private mutating func take(_ shorter: Plan, instead plan: inout Plan) {
        if stillFails(shorter) { plan = shorter }
    }

    /// One mishap of the network and one wrong clock at a time.
    private mutating func withoutWeather(_ plan: inout Plan) {
        for mishap in Plan.Weather.all where plan.weather[keyPath: mishap] > 0 {
            var calmer = plan
            calmer.weather[keyPath: mishap] = 0
            take(calmer, instead: &plan)
        }
        for device in 0..<plan.devices {
            var calmer = plan
            calmer.clockErrors[device] = 0
            calmer.joins[device] = 0
            if calmer.clockErrors != plan.clockErrors || calmer.joins != plan.joins {
                take(calmer, instead: &plan)
            }
        }
    }

    /// All faults, or all acts, of a kind at once.
    private mutating func withoutKinds(_ plan: inout Plan) {
        for fault in Fault.allCases {
            withoutItems(of: &plan) { $0.event == .fault(fault) }
        }
        for act in Act.allCases { withoutItems(of: &plan) { $0.event == .act(act) } }
    }

    /// All that happens on a device, which then only listens; the last one goes altogether.
    private mutating func withoutDevices(_ plan: inout Plan) {
        for device in 0..<plan.devices {
            withoutItems(of: &plan) { $0.device == device && $0.event != .heal }
        }
        while plan.devices > 2, let fewer = plan.withoutLastDevice, stillFails(fewer) {
            plan = fewer
        }
    }

    private mutating func withoutItems(
        of plan: inout Plan, where isLeftOut: (Plan.Item) -> Bool
    ) {
        var shorter = plan
        shorter.items.removeAll(where: isLeftOut)
        if shorter.items.count < plan.items.count { take(shorter, instead: &plan) }
    }

    /// Halves first, then smaller pieces.
    private mutating func withoutEvents(_ plan: inout Plan) {
        var size = max(1, plan.items.count / 2)
        while left > 0 {
            let hasShrunk = withoutPieces(of: size, &plan)
            if size == 1, !hasShrunk { return }
            size = max(1, size / 2)
        }
    }

    private mutating func withoutPieces(of size: Int, _ plan: inout Plan) -> Bool {
        var start = 0
        var hasShrunk = false
        while start < plan.items.count, left > 0 {
            let shorter = plan.without(start..<min(start + size, plan.items.count))
            if shorter.items.count < plan.items.count, stillFails(shorter) {
                plan = shorter
                hasShrunk = true
            } else {
                start += size
            }
        }
        return hasShrunk
    }
}
