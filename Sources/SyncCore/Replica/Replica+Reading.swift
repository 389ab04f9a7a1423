/// Reading what stands at names, to make versions of it.
extension Replica {
    /// The content of what stands at the name, or nil while it is being read.
    mutating func takeContent(at slot: Slot, _ entry: DiskEntry) -> ReadContent? {
        if let content = contents.removeValue(forKey: slot) {
            reading[slot] = nil
            if content.stamp.identity == entry.stamp.identity { return content }
        }
        if let attempt = reading[slot] {
            if attempt.isUnderWay { return nil }
            if let retry = attempt.retryAt, retry > now.steady { return nil }
        }
        guard let path = path(of: slot) else { return nil }
        var attempt = reading[slot] ?? ReadAttempt(isUnderWay: true, attempts: 0)
        attempt.isUnderWay = true
        attempt.retryAt = nil
        reading[slot] = attempt
        // The watcher tells of a file that is written without a pause only now and then.
        let since = writtenSince[slot] ?? attempt.failingSince
        let isOpenForLong = since.map {
            now.steady.milliseconds(since: $0) >= Replica.openMilliseconds
        }
        actions.append(
            .read(
                ReadRequest(
                    slot: slot, path: path, kind: entry.kind, prefix: prefix(at: slot),
                    isForOpenFile: isOpenForLong ?? false)))
        return nil
    }

    /// How long a file may be kept open by its writer until it is sent as it is: a log is written
    /// for ever.
    static var openMilliseconds: Int64 { 60_000 }

    /// The read's end looks at the name again; a read that failed is tried again later.
    func awaitingRead(_ slot: Slot) -> Resolution {
        guard let attempt = reading[slot] else { return untilBack(slot) }
        guard let retry = attempt.retryAt else { return .done }
        // Due, and not begun: its folder is on its way to another place.
        let soonest = now.steady.advanced(milliseconds: 100)
        return .hold(until: retry > now.steady ? retry : soonest)
    }

    /// What has no path now is looked at when the folder above that was put aside is back.
    func untilBack(_ slot: Slot) -> Resolution {
        var folder = slot.folder
        while let base = base(folder) {
            if base.isParked { return .hold(until: now.steady.advanced(milliseconds: 100)) }
            folder = base.slot.folder
        }
        return .done
    }

    /// What was installed and not read by anybody may only have been appended to.
    private func prefix(at slot: Slot) -> UInt64? {
        guard let id = item(at: slot), let base = base(id), base.lastRead != base.version else {
            return nil
        }
        return base.facts.size
    }

    mutating func read(_ request: ReadRequest, _ outcome: ReadOutcome) {
        guard aliases[request.slot.folder] == nil else { return }
        let slot = request.slot
        let attempts = (reading[slot]?.attempts ?? 0) + 1
        switch outcome {
        case .content(let content):
            noteReading(at: slot, content)
            take(content, at: slot)
        case .gone:
            noteReading(at: slot, nil)
            reading[slot] = nil
            // It may only be elsewhere since, with its folder: it is read there.
            if path(of: slot) != request.path { touch(slot) }
            if let path = path(of: slot) { actions.append(.look(slot: slot, path: path)) }
            // Its folder may only have moved: what stands there as before is read all the same.
            dirtySlots.hold(slot, at: now.steady, until: now.steady.advanced(milliseconds: 100))
        case .busy, .failed:
            noteReading(at: slot, nil)
            guard isReadable(slot) else {
                reading[slot] = nil
                return
            }
            let delay = min(Int64(50) << Int64(min(attempts, 6)), 2_000)
            reading[slot] = ReadAttempt(
                isUnderWay: false, attempts: attempts,
                retryAt: now.steady.advanced(milliseconds: delay),
                failingSince: reading[slot]?.failingSince ?? now.steady)
            touch(slot)
            let problem = problem(of: outcome)
            if let id = item(at: slot) { nodes[id]?.problem = problem }
        }
    }

    /// What was read counts only for the file that was last seen there; what was written to it
    /// since is looked at again.
    private mutating func take(_ content: ReadContent, at slot: Slot) {
        reading[slot] = nil
        // It was unchanged while it was read, whatever has happened since.
        if isRestless(slot) { stirred[slot] = nil }
        writtenSince[slot] = nil
        guard let entry = disk[slot] else { return }
        touch(slot)
        guard entry.stamp.identity == content.stamp.identity else { return }
        contents[slot] = content
        disk.set(DiskEntry(kind: entry.kind, stamp: content.stamp), at: slot)
        if !entry.stamp.isUnchanged(since: content.stamp), let path = path(of: slot) {
            actions.append(.look(slot: slot, path: path))
        }
    }

    /// Whether there is something at the name to be read.
    private func isReadable(_ slot: Slot) -> Bool {
        guard let entry = disk[slot], !IgnoredNames.contains(slot.name) else { return false }
        return entry.kind == .file || entry.kind == .link || entry.kind == .package
    }

    /// Nothing is there to be read any more, or not under this name.
    mutating func endReading(_ slot: Slot) {
        guard let attempt = reading[slot], !attempt.isUnderWay, !isReadable(slot) else { return }
        reading[slot] = nil
        contents[slot] = nil
    }

    /// What kept a file from being read is over.
    mutating func readingEnded(_ id: ItemID) {
        switch nodes[id]?.problem {
        case .disk, .busy:
            nodes[id]?.problem = nil
            actions.append(.notify(.statusChanged))
        default: break
        }
    }

    private func problem(of outcome: ReadOutcome) -> Problem? {
        switch outcome {
        case .busy: .busy
        case .failed(let failure): .disk(failure)
        case .content, .gone: nil
        }
    }
}
