/// Key-values: one register a key.
extension Replica {
    mutating func obey(_ command: ReplicaCommand) {
        switch command {
        case .openContainer(let name):
            if !containers.contains(name) { containers.append(name) }
            ensureContainer(name)
        case .resolve(let item, let keep, let aside, let seen):
            settle(resolve(item), keep, aside, seen)
        case .setValue(let store, let key, let value): set(store, key, value)
        case .noteRead(let item, let version): noteRead(resolve(item), version)
        case .noteTold(let item, let versions): noteTold(item, versions)
        case .restore(let state, let versions, let swept):
            restore(state, versions, swept: swept)
        case .makeCurrent(let item, let version, let shown):
            makeCurrent(item, version, instead: shown)
        case .place(let item): placeNow(item)
        case .setResidence(let item, let residence): setResidence(of: item, residence)
        case .lookAtRoots: rootsDue = now.steady
        case .confirm(let isMeant): confirm(isMeant: isMeant)
        }
    }

    private mutating func noteRead(_ id: ItemID, _ version: VersionID) {
        guard base(id)?.version == version else { return }
        opened(id)
    }

    package func registerKey(store: [UInt8], key: [UInt8]) -> RegisterKey {
        var bytes: [UInt8] = []
        bytes.append(field: store)
        return RegisterKey(store: vault.tag(bytes), key: vault.tag(bytes + key))
    }

    private mutating func set(_ store: [UInt8], _ key: [UInt8], _ value: [UInt8]?) {
        let id = registerKey(store: store, key: key)
        var record = registers[id] ?? RegisterRecord(store: store, key: key)
        if record.value == value, record.refusal == nil { return }
        record.refusal = nil
        var name: [UInt8] = []
        name.append(field: store)
        name.append(contentsOf: key)
        progress.lastEntry += 1
        let unsent = record.pending.flatMap { pending in
            outbox[pending.entry].map { ($0, pending.entry) }
        }
        var replaces = record.pending?.id ?? record.remote?.write
        if let (entry, _) = unsent, entry.isAlterable, case .write(let old) = entry.body {
            replaces = old.replaces
        }
        let write = KeyValueWrite(
            id: newWriteID(store: store, key: key, value: value), register: id,
            name: vault.seal(name),
            value: value.map(vault.seal), replaces: replaces,
            beforeFirstPull: !progress.hasPulled)
        if let (entry, number) = unsent, entry.isAlterable {
            replaceWrite(of: number, by: write)
            record.pending = .init(id: write.id, value: value, entry: number)
        } else {
            append(.write(write))
            record.pending = .init(id: write.id, value: value, entry: progress.lastEntry)
        }
        save(record, as: id)
    }

    private mutating func save(_ record: RegisterRecord, as id: RegisterKey) {
        registers[id] = record
        changes.append(.register(id, record))
    }

    /// The log says what a register is.
    mutating func apply(_ state: RegisterState, _ own: UInt64?) {
        guard let name = vault.open(state.name), let (store, key) = split(name) else { return }
        var record = registers[state.register] ?? RegisterRecord(store: store, key: key)
        let before = record.value(opening: vault)
        giveUpRefused(&record, state)
        let isSmaller = state.value?.count ?? 0 < record.remote?.value?.count ?? 0
        record.remote = state
        if let own, record.pending?.entry == own { record.pending = nil }
        if record.pending?.id == state.write { record.pending = nil }
        if record.refusal != nil, record.pending == nil { record.refusal = nil }
        save(record, as: state.register)
        if isSmaller { offerRefused(of: store) }
        guard record.value(opening: vault) != before else { return }
        actions.append(
            .notify(
                .valueChanged(store: store, key: key, progress.hasPulled ? .server : .firstPull)))
    }

    /// A write is in the log, or nowhere: this device has nothing more to say of it.
    mutating func settled(_ write: KeyValueWrite, entry: UInt64) {
        guard var record = registers[write.register], record.pending?.entry == entry else { return }
        let before = record.value(opening: vault)
        record.pending = nil
        record.refusal = nil
        save(record, as: write.register)
        guard record.value(opening: vault) != before else { return }
        actions.append(
            .notify(.valueChanged(store: record.store, key: record.key, .server)))
    }

    /// The registers of the account as it is; what it has lost is offered again.
    mutating func take(_ states: [RegisterState], isHistory: Bool) {
        var current: [RegisterKey: RegisterState] = [:]
        for state in states {
            current[state.register] = state
            if registers[state.register]?.remote != state, !isHistory { apply(state, nil) }
        }
        guard isHistory else { return }
        for state in states where registers[state.register] == nil { apply(state, nil) }
        let known = registers.sorted {
            ($0.value.store + $0.value.key).lexicographicallyPrecedes(
                $1.value.store + $1.value.key)
        }
        for (key, record) in known where record.remote != current[key] {
            if let now = current[key] { apply(now, nil) } else { clearRemote(key) }
            if let lost = record.remote, lost.write != current[key]?.write {
                offer(lost, over: current[key])
            }
        }
    }

    private mutating func clearRemote(_ key: RegisterKey) {
        guard var record = registers[key] else { return }
        record.remote = nil
        save(record, as: key)
    }

    /// A value that was set later than what the account has replaces it; else it is only kept.
    private mutating func offer(_ lost: RegisterState, over now: RegisterState?) {
        guard var record = registers[lost.register] else { return }
        let isLater = now.map { lost.stamp > $0.stamp } ?? true
        append(
            .write(
                KeyValueWrite(
                    id: lost.write, register: lost.register, name: lost.name, value: lost.value,
                    replaces: now?.write, beforeFirstPull: !isLater || record.pending != nil)))
        guard isLater, record.pending == nil else { return }
        record.pending = .init(
            id: lost.write, value: lost.value.flatMap(vault.open), entry: progress.lastEntry)
        save(record, as: lost.register)
    }

    private func split(_ name: [UInt8]) -> ([UInt8], [UInt8])? {
        guard name.count >= 8 else { return nil }
        let count = name.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard count <= UInt64(name.count - 8) else { return nil }
        let rest = name.dropFirst(8)
        return (Array(rest.prefix(Int(count))), Array(rest.dropFirst(Int(count))))
    }

    /// The server has no room for it: the account's value stands, this one is kept and offered
    /// again.
    mutating func refuseWrite(_ write: KeyValueWrite, entry: UInt64, _ refusal: Refusal) {
        guard var record = registers[write.register], record.pending?.id == write.id else { return }
        guard record.refusal != refusal else { return }
        record.refusal = refusal
        save(record, as: write.register)
        actions.append(
            .notify(.valueChanged(store: record.store, key: record.key, .refused)))
    }

    /// Another write of the same key has been accepted since: the refused one has lost.
    private mutating func giveUpRefused(
        _ record: inout RegisterRecord, _ state: RegisterState
    ) {
        guard record.refusal != nil, let pending = record.pending, pending.id != state.write,
            record.remote?.write != state.write
        else { return }
        record.pending = nil
        finish(pending.entry)
    }

    /// A value became smaller: what was refused may have room now.
    private mutating func offerRefused(of store: [UInt8]) {
        for record in registers.values where record.store == store && record.refusal != nil {
            if let pending = record.pending { held[pending.entry] = nil }
        }
    }

    /// The value that programs see.
    package func value(store: [UInt8], key: [UInt8]) -> [UInt8]? {
        registers[registerKey(store: store, key: key)]?.value(opening: vault)
    }

    /// Whether a write is within the limits as far as this device can see; the server decides.
    ///
    /// Apple's limits are the defaults; a key has at most 128 UTF-16 units.
    package func fits(
        _ value: [UInt8]?, key: [UInt8], store: [UInt8], limits: AccountLimits = AccountLimits()
    ) -> Bool {
        guard String(decoding: key, as: UTF8.self).utf16.count <= limits.keyUnits else {
            return false
        }
        guard let value else { return true }
        let present = values(store: store)
        let old = present.first { $0.key == key }?.value
        if let old, value.count <= old.count { return true }
        let total = present.reduce(0) { $0 + UInt64($1.value.count) }
        let size = UInt64(value.count)
        guard size <= limits.value, total - UInt64(old?.count ?? 0) + size <= limits.values else {
            return false
        }
        return old != nil || UInt64(present.count) < limits.keys
    }

    /// A store's keys and values, by key.
    package func values(store: [UInt8]) -> [(key: [UInt8], value: [UInt8])] {
        registers.values.filter { $0.store == store }
            .compactMap { record in record.value(opening: vault).map { (record.key, $0) } }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }
}

extension RegisterRecord {
    /// This device's newest value if it has not been refused, else the account's.
    func value(opening vault: Vault) -> [UInt8]? {
        if let pending, refusal == nil { return pending.value }
        return remote?.value.flatMap(vault.open)
    }

    /// As ``value(opening:)``, for a comparison with what is set; nil if only the account has one.
    fileprivate var value: [UInt8]?? {
        guard let pending, refusal == nil else { return .none }
        return .some(pending.value)
    }
}
