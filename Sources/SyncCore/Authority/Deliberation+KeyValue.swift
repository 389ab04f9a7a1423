/// Registers: a write that replaces the current one wins, whatever any clock says.
extension Deliberation {
    mutating func write(
        _ write: KeyValueWrite, age: UInt64
    ) throws(Reader.Failure) -> Ruling {
        let current = try current(write.register)
        if current?.write == write.id { return .known(position.number) }
        if writes.contains(write.id) { return .known(position.number) }
        if try reader.hasWrite(write.id) { return .known(position.number) }
        guard try isWithinLimits(write, current) else { return .refused(.overLimit) }
        writes.insert(write.id)
        let stamp = stamp(age: age)
        if let current, !wins(write, stamp, over: current) {
            changes.append(.pastWrite(write, number: nextNumber))
            return .accepted([.register(current)])
        }
        let state = RegisterState(
            register: write.register, name: write.name, write: write.id, value: write.value,
            stamp: max(stamp, current?.stamp ?? stamp))
        count(write, current)
        registers[write.register] = state
        if let current { changes.append(.writeReplaced(current.write, number: nextNumber)) }
        changes.append(.register(state))
        return .accepted([.register(state)])
    }

    private func current(_ key: RegisterKey) throws(Reader.Failure) -> RegisterState? {
        if let state = registers[key] { return state }
        return try reader.register(key)
    }

    private func wins(
        _ write: KeyValueWrite, _ stamp: WallTime, over current: RegisterState
    ) -> Bool {
        if write.beforeFirstPull, mutant != .defaultsWin { return current.value == nil }
        return write.replaces == current.write || stamp > current.stamp
    }

    /// The server's time less the age that the device reports, never before its last contact.
    private func stamp(age: UInt64) -> WallTime {
        let aged = Int64(clamping: age)
        if mutant == .deviceClockInStamps { return WallTime(milliseconds: aged) }
        let time = sender.now.milliseconds.subtractingReportingOverflow(aged).partialValue
        let latest = sender.now.milliseconds
        let earliest = min(sender.lastContact.milliseconds, latest)
        return WallTime(milliseconds: max(earliest, min(time, latest)))
    }
}

// MARK: - Limits

extension Deliberation {
    /// What adds nothing is always within the limits.
    private mutating func isWithinLimits(
        _ write: KeyValueWrite, _ current: RegisterState?
    ) throws(Reader.Failure) -> Bool {
        if usage == nil { usage = try reader.usage() }
        guard let usage, let value = write.value else { return true }
        let size = UInt64(value.count)
        let before = UInt64(current?.value?.count ?? 0)
        let isNew = current?.value == nil
        if !isNew, size <= before { return true }
        let store = write.register.store
        guard size <= limits.value else { return false }
        guard (usage.values[store] ?? 0) + size - before <= limits.values else { return false }
        return !isNew || (usage.keys[store] ?? 0) < limits.keys
    }

    private mutating func count(_ write: KeyValueWrite, _ current: RegisterState?) {
        guard var usage else { return }
        let store = write.register.store
        let before = UInt64(current?.value?.count ?? 0)
        let after = UInt64(write.value?.count ?? 0)
        usage.values[store] = (usage.values[store] ?? 0) - before + after
        let keys = usage.keys[store] ?? 0
        switch (current?.value == nil, write.value == nil) {
        case (true, false): usage.keys[store] = keys + 1
        case (false, true): usage.keys[store] = keys - 1
        default: break
        }
        self.usage = usage
    }
}
