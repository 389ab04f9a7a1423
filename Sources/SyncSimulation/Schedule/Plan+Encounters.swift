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

    /// In one of five schedules people write a document that is a package, beside what else they
    /// do, at the device that they are at.
    static func packages(_ devices: Int, through acts: [Item], _ seed: UInt64) -> [Item] {
        var random = RandomSource(seed: seed ^ 0x9AC4_A6E5)
        guard random.happens(perMille: 200) else { return [] }
        var items: [Item] = []
        for act in acts where random.happens(perMille: 100) {
            guard case .act = act.event else { continue }
            items.append(
                Item(
                    time: act.time + random.within(1_000_000...400_000_000), device: act.device,
                    event: .act(.savePackage), salt: random.next()))
        }
        return items
    }

    /// In a third of the schedules of many people files are evicted and wanted again, and what
    /// stands for them is written to, moved and removed.
    static func demands(_ kind: Kind, through acts: [Item], _ seed: UInt64) -> [Item] {
        var random = RandomSource(seed: seed ^ 0xDE3A_4D05)
        guard kind == .everybody, random.happens(perMille: 333) else { return [] }
        let wanted: [Act] = [
            .evict, .evict, .evict, .evict, .download, .writeToPlaceholder, .movePlaceholder,
            .removePlaceholder, .saveBesidePlaceholder,
        ]
        var items: [Item] = []
        for act in acts where random.happens(perMille: 250) {
            guard case .act = act.event else { continue }
            items.append(
                Item(
                    time: act.time + random.within(1_000_000...2_000_000_000),
                    device: act.device, event: .act(random.pick(wanted)), salt: random.next()))
        }
        return items
    }
}
