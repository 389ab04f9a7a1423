/// What has to come together for some faults to show, and by chance hardly ever does.
///
/// As with histories these are drawn for themselves: what else a seed means does not depend on
/// them.
extension Plan {
    static func encounters(
        _ kind: Kind, _ devices: Int, through acts: [Item], _ seed: UInt64
    ) -> [Item] {
        var random = RandomSource(seed: seed ^ 0xE9C0_0417)
        guard random.happens(perMille: 125) else { return [] }
        switch kind {
        case .everybody: return longText(devices, through: acts, &random)
        case .oneTypist: return tidying(through: acts, &random)
        }
    }

    /// A long text is saved, replaced, collected a month later, and saved again on the day on which
    /// its chunks are marked and still there.
    private static func longText(
        _ devices: Int, through acts: [Item], _ random: inout RandomSource
    ) -> [Item] {
        let device = random.below(devices)
        var time = random.pick(acts).time
        let steps: [(Event, Int64)] = [
            (.act(.saveLongText), 0), (.act(.replaceLongText), 30_000_000_000),
            (.days(31 + random.below(4)), 60_000_000_000),
            (.act(.saveLongText), 500_000_000), (.days(3), 60_000_000_000),
        ]
        return steps.map { event, pause in
            time += pause
            return Item(time: time, device: device, event: event, salt: random.next())
        }
    }

    /// Whoever comes to a device puts a document that was written elsewhere into a new folder, and
    /// edits it there at once.
    private static func tidying(through acts: [Item], _ random: inout RandomSource) -> [Item] {
        var items: [Item] = []
        for (place, item) in acts.enumerated() where item.event == .heal {
            let next = acts[place...].first { if case .act = $0.event { true } else { false } }
            guard let next else { continue }
            // All is quiet by then, and so it is again when the sitting goes on.
            items.append(
                Item(
                    time: item.time + waiting - 20_000_000_000, device: next.device,
                    event: .act(.tidyAndEdit), salt: random.next()))
        }
        return items
    }
}
