/// All that people do and all that breaks in one schedule, made from its seed before it runs.
package struct Plan: Sendable {
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// Everybody at once.
        case everybody
        /// One person who goes from device to device and waits until all is quiet.
        case oneTypist
    }

    package enum Event: Hashable, Sendable {
        case act(Act)
        case fault(Fault)
        /// All faults end: the person now waits for the other device.
        case heal
        /// So many days pass, and every device is there.
        case days(Int)
    }

    package struct Item: Sendable {
        package let time: Int64
        package let device: Int
        package let event: Event
        /// What the event decides by.
        package let salt: UInt64
    }

    /// How bad the network is, in thousandths.
    struct Weather: Sendable {
        var lost = 0
        var doubled = 0
        var slow = 0
        /// Ends in the middle.
        var cut = 0
        /// Contents that arrive otherwise than they were sent.
        var damaged = 0

        static var all: [WritableKeyPath<Weather, Int>] {
            [\.lost, \.doubled, \.slow, \.cut, \.damaged]
        }
    }

    package let seed: UInt64
    package let kind: Kind
    package private(set) var devices: Int
    var weather: Weather
    /// Wall clocks that are wrong, in nanoseconds, by device.
    var clockErrors: [Int64]
    /// By device, when it first meets the server: 0 for at once.
    var joins: [Int64]
    package var items: [Item]

    /// Without some of what happens; the ends of a typist's sittings stay, or it would be another
    /// story.
    package func without(_ range: Range<Int>) -> Plan {
        var plan = self
        let ends = items[range].filter { $0.event == .heal }
        plan.items.replaceSubrange(range, with: ends)
        return plan
    }

    /// Nil if anything happens on it.
    var withoutLastDevice: Plan? {
        let last = devices - 1
        guard !items.contains(where: { $0.device == last }) else { return nil }
        var plan = self
        plan.devices = last
        plan.clockErrors.removeLast()
        plan.joins.removeLast()
        return plan
    }
}

extension Plan {
    /// A plan without any event, for a schedule that is written by hand.
    init(devices: Int, kind: Kind, joins: [Int: Int64] = [:], clockErrors: [Int: Int64] = [:]) {
        self.init(
            seed: 1, kind: kind, devices: devices, weather: Weather(),
            clockErrors: (0..<devices).map { clockErrors[$0] ?? 0 },
            joins: (0..<devices).map { joins[$0] ?? 0 }, items: [])
    }
}

extension Plan {
    /// The plan of a seed.
    ///
    /// Without a number of devices the seed decides how many there are.
    package init(seed: UInt64, devices given: Int? = nil, hasHistories: Bool = false) {
        var random = RandomSource(seed: seed)
        let drawn = random.pick([2, 2, 2, 2, 3, 3, 3, 4, 4, 5])
        let devices = given ?? drawn
        let kind: Kind = random.happens(perMille: 300) ? .oneTypist : .everybody
        let faults = Plan.pickFaults(&random)
        let weather = Weather(
            lost: random.happens(perMille: 400) ? 10 + random.below(80) : 0,
            doubled: random.happens(perMille: 400) ? 20 + random.below(150) : 0,
            slow: random.happens(perMille: 500) ? 20 + random.below(200) : 0,
            cut: random.happens(perMille: 300) ? 10 + random.below(80) : 0,
            damaged: random.happens(perMille: 300) ? 50 + random.below(250) : 0)
        let errors = (0..<devices).map { _ in Plan.wrongTime(&random) }
        let joins = (0..<devices).map { _ in Plan.joining(&random) }
        var items = Plan.acts(kind, devices, &random)
        items += Plan.faultItems(faults, kind, devices, through: items, &random)
        let ordinary = items
        items += Plan.encounters(kind, devices, through: ordinary, seed)
        items += Plan.packages(devices, through: ordinary, seed)
        items += Plan.demands(kind, through: ordinary, seed)
        if hasHistories { items += Plan.histories(kind, devices, through: ordinary, seed) }
        items.sort { ($0.time, $0.salt) < ($1.time, $1.salt) }
        self.init(
            seed: seed, kind: kind, devices: devices, weather: weather, clockErrors: errors,
            joins: joins, items: items)
    }

    /// Two to four kinds.
    private static func pickFaults(_ random: inout RandomSource) -> [Fault] {
        var left = Fault.allCases.filter { !Fault.ofHistories.contains($0) }
        return (0..<(2 + random.below(3))).map { _ in left.remove(at: random.below(left.count)) }
    }

    /// In two of five schedules, if that was asked for, a server or a device goes back to what it
    /// was.
    ///
    /// They are drawn for themselves: what else a seed means does not depend on them.
    private static func histories(
        _ kind: Kind, _ devices: Int, through acts: [Item], _ seed: UInt64
    ) -> [Item] {
        var random = RandomSource(seed: seed ^ 0x4157_0415)
        guard random.happens(perMille: 400) else { return [] }
        var left = Fault.ofHistories
        var faults = [left.remove(at: random.below(left.count))]
        if random.happens(perMille: 300) {
            faults.append(left.remove(at: random.below(left.count)))
        }
        return faultItems(faults, kind, devices, through: acts, &random)
    }

    private static func joining(_ random: inout RandomSource) -> Int64 {
        guard random.happens(perMille: 80) else { return 0 }
        return random.within(1_000_000_000...200_000_000_000)
    }

    private static func acts(
        _ kind: Kind, _ devices: Int, _ random: inout RandomSource
    ) -> [Item] {
        let count = 200 + random.below(50)
        var items: [Item] = []
        var time: Int64 = 2_000_000_000
        var device = random.below(devices)
        var left = 0
        for _ in 0..<count {
            time += pause(&random)
            switch kind {
            case .everybody: device = random.below(devices)
            case .oneTypist:
                // A person, not a script.
                time += 100_000_000
                if left == 0 {
                    left = 3 + random.below(10)
                    device = random.below(devices)
                    items.append(Item(time: time, device: 0, event: .heal, salt: random.next()))
                    time += waiting
                }
                left -= 1
            }
            var act = pickAct(&random)
            // One typist reads before writing.
            while kind == .oneTypist,
                act == .overwrite || act == .replaceByOther || act.isForTwo
                    || act.isRestoring
            {
                act = pickAct(&random)
            }
            let item = Item(time: time, device: device, event: .act(act), salt: random.next())
            items.append(item)
            if act == .saveSameSize { items += burst(after: item, &random) }
        }
        return items
    }

    /// Rapid saves: the same editor, again and again.
    private static func burst(after item: Item, _ random: inout RandomSource) -> [Item] {
        var time = item.time
        return (0..<random.below(4)).map { _ in
            time += random.within(1_000_000...400_000_000)
            return Item(time: time, device: item.device, event: item.event, salt: item.salt)
        }
    }

    /// How long one typist waits before going to another device, in nanoseconds.
    static let waiting: Int64 = 150_000_000_000

    /// Between two acts: a burst, a moment, or a while.
    private static func pause(_ random: inout RandomSource) -> Int64 {
        switch random.below(10) {
        case 0..<3: random.within(100_000...5_000_000)
        case 3..<6: random.within(5_000_000...200_000_000)
        case 6..<9: random.within(200_000_000...3_000_000_000)
        default: random.within(3_000_000_000...20_000_000_000)
        }
    }

    private static let weights: [(act: Act, weight: Int)] = [
        (.createFile, 10), (.createBinary, 4), (.makeFolder, 5), (.makeLink, 2),
        (.openEditor, 12), (.saveEditor, 22), (.closeEditor, 3), (.read, 3), (.overwrite, 4),
        (.append, 6), (.rename, 6), (.move, 6), (.swapNames, 2), (.replaceByOther, 2),
        (.deleteFile, 5), (.deleteFolder, 2), (.changeMode, 3), (.changeTime, 2), (.setValue, 6),
        (.removeValue, 1), (.settleConflict, 4), (.restoreFromTrash, 4), (.restoreVersion, 2),
        (.undo, 3), (.saveSameSize, 3), (.makeAgain, 2),
        (.copyFolder, 1), (.openTwice, 3), (.moveOutWhileDeleted, 1), (.moveInWhileDeleted, 1),
        (.renameWhileEdited, 1),
    ]

    private static func pickAct(_ random: inout RandomSource) -> Act {
        var left = random.below(weights.reduce(0) { $0 + $1.weight })
        for (act, weight) in weights {
            if left < weight { return act }
            left -= weight
        }
        return .saveEditor
    }

    private static func faultItems(
        _ faults: [Fault], _ kind: Kind, _ devices: Int, through acts: [Item],
        _ random: inout RandomSource
    ) -> [Item] {
        var items: [Item] = []
        for (place, fault) in faults.enumerated() {
            // Three at least, of two kinds at least.
            let most = place == 0 ? 3 : 4
            for _ in 0..<(4 - most + 1 + random.below(most)) {
                // Beside an act, where it hurts.
                let act = random.pick(acts)
                let time = max(0, act.time + random.within(-2_000_000...60_000_000))
                items.append(
                    Item(
                        time: time, device: random.below(devices), event: .fault(fault),
                        salt: random.next()))
            }
        }
        return items
    }
}
