import SyncCore
import SyncStore

/// A device's machine as it was.
struct DeviceImage {
    let device: Int
    let disk: SimulatedDisk
    let store: MemoryDeviceStore.Image
    let chunks: [ChunkID: [UInt8]]
    let journal: [Name: StagingNote]
    /// Saves and settings that were made before it.
    let saves: Int
    let settings: Int
}

/// Servers and devices that go back to what they were, and devices whose keys are revoked.
extension Simulation {
    // MARK: - The server

    /// A backup is made now and put back later, every other one twice.
    mutating func planRestore(_ choice: inout RandomSource) {
        let backup = backUpServer()
        var time = now
        for _ in 0..<(1 + choice.below(2)) {
            time += choice.within(100_000_000...60_000_000_000)
            agenda.add(.serverRestored(backup: backup), at: time)
        }
    }

    mutating func backUpServer() -> Int {
        var backup = server.backup
        backup.witnessed = witness.witnessed
        backups.append(backup)
        return backups.count - 1
    }

    /// The server's folder is what it was.
    mutating func restoreServer(_ number: Int) {
        guard !isCalm else { return }
        let backup = backups[number]
        counts[.serverRestored] += 1
        story.tell(
            now, "fault", "the server is restored to \(backup.durable.position().number)")
        let isDown = !server.isRunning
        crashServer(restartAfter: random.within(1_000_000...6_000_000_000))
        if isDown { server.crash() }
        noteLost(with: backup)
        server.restore(backup)
        lastChange = now
    }

    /// What the checkers must know of what goes with the server's history.
    private mutating func noteLost(with backup: SimulatedServer.Backup) {
        // A backup may be of a history that was left when another one was put back.
        let fork =
            zip(server.durable.log, backup.durable.log)
            .prefix { $0.position == $1.position }.last?.0.position.number ?? 0
        acknowledged.forget(after: fork)
        if let witnessed = backup.witnessed {
            witness.goBack(to: witnessed, at: backup.durable.position().number)
        }
        guard cipher == nil else { return }
        let account = server.durable
        let removed = LossChecker(
            ledger: ledger, account: account, commitTimes: server.commitTimes, witness: witness
        ).removedByEdits()
        for token in removed { ledger.note(removalOf: token) }
        let lost = account.lostContents(without: backup.durable)
        let contents = Set(lost.values.map { simulatedHash($0) })
        let there = heldTokens(besides: backup.durable)
        let tokens = Set(lost.values.flatMap { Document.tokens(in: $0) }).subtracting(there)
        let values = account.writes.filter { backup.durable.writes[$0.key] == nil }
            .compactMap { $0.value }
        // What was replaced in what is lost was kept there only.
        let current = account.registers.values.compactMap { $0.value }
        witness.note(
            lost: contents, tokens,
            Set(values).subtracting(heldValues().intersection(current)))
        var kept: Set<Digest> = []
        for id in backup.durable.versions.keys {
            if let bytes = backup.durable.content(of: id) { kept.insert(simulatedHash(bytes)) }
        }
        known.formUnion(kept)
        for item in account.items.values {
            for head in item.heads where lost[head.version] != nil {
                let digest = simulatedHash(lost[head.version] ?? [])
                if !kept.contains(digest), known.remove(digest) != nil {
                    knownBefore.insert(digest)
                }
            }
        }
    }

    /// The lines that some device, or the backup, has.
    private func heldTokens(besides backup: AccountTables) -> Set<Token> {
        var tokens: Set<Token> = []
        for device in devices {
            for (_, inode) in device.disk.allPaths() {
                tokens.formUnion(Document.tokens(in: device.disk[inode].bytes))
            }
            for bytes in device.store.committed.contents.values {
                tokens.formUnion(Document.tokens(in: bytes))
            }
            for entry in device.store.committed.replica.outbox.values {
                guard case .inline(let bytes)? = entry.body.version?.content else { continue }
                tokens.formUnion(Document.tokens(in: bytes))
            }
        }
        for id in backup.versions.keys {
            tokens.formUnion(Document.tokens(in: backup.everContent(of: id) ?? []))
        }
        return tokens
    }

    private func heldValues() -> Set<[UInt8]> {
        var values: Set<[UInt8]> = []
        for device in devices {
            for record in device.store.committed.replica.registers.values {
                if let value = record.remote?.value { values.insert(value) }
                if let value = record.pending?.value { values.insert(value) }
            }
        }
        return values
    }

    // MARK: - A device

    /// An image is made while nothing is under way, and put back later.
    mutating func planImage(of index: Int, _ choice: inout RandomSource) {
        let device = devices[index]
        guard device.programs.isEmpty, device.jobs.isEmpty, device.away == nil,
            device.disk.notices.isEmpty, device.replica?.isQuiet == true
        else { return }
        images.append(
            DeviceImage(
                device: index, disk: device.disk, store: device.store.committed,
                chunks: device.chunks, journal: device.journal, saves: ledger.saves.count,
                settings: ledger.settings.count))
        let time = now + choice.within(100_000_000...60_000_000_000)
        agenda.add(.deviceRestored(image: images.count - 1), at: time)
    }

    /// One typist waits until the device has caught up: it goes back when the wait begins.
    mutating func restoreDevice(_ number: Int) {
        guard !isCalm else { return }
        if plan.kind == .oneTypist {
            duePutBack.append(number)
        } else {
            putBack(images[number])
        }
    }

    mutating func putBackImages() {
        for number in duePutBack { putBack(images[number]) }
        duePutBack = []
    }

    mutating func putBack(_ image: DeviceImage) {
        let index = image.device
        guard devices[index].away == nil else { return }
        counts[.deviceRestored] += 1
        story.tell(now, "fault", "device \(index) is what it was")
        devices[index].boot += 1
        noteHalfSaved(on: index)
        devices[index].programs = [:]
        devices[index].closeDocuments()
        if devices[index].replica != nil {
            crashProgram(index, restartAfter: random.within(1_000_000_000...15_000_000_000))
        }
        noteLost(since: image)
        var disk = image.disk
        disk.keep(renames: devices[index].disk.renames)
        devices[index].disk = disk
        devices[index].disk.isFull = false
        devices[index].disk.watchedFolders = []
        devices[index].disk.watchedFiles = [:]
        devices[index].disk.notices = []
        devices[index].disk.advance(to: now, clock: clock(of: index))
        devices[index].store.restore(image.store)
        devices[index].chunks = image.chunks
        devices[index].journal = image.journal
        devices[index].isBehind = true
        lastChange = now
    }

    /// Whether a device that went back to an image has still to hear of what came since.
    mutating func isCatchingUp(_ index: Int) -> Bool {
        guard devices[index].isBehind else { return false }
        let status = devices[index].replica?.status()
        devices[index].isBehind = status?.isInSync != true
        return devices[index].isBehind
    }

    /// What was made on the machine since and has not reached the server is gone.
    private mutating func noteLost(since image: DeviceImage) {
        guard cipher == nil else { return }
        var kept: Set<Digest> = []
        for id in server.durable.versions.keys {
            if let bytes = server.durable.content(of: id) { kept.insert(simulatedHash(bytes)) }
        }
        for number in image.saves..<max(image.saves, ledger.saves.count)
        where ledger.saves[number].device == image.device {
            if !kept.contains(simulatedHash(ledger.saves[number].bytes)) {
                ledger.note(powerLossOf: number)
            }
        }
        for number in image.settings..<max(image.settings, ledger.settings.count)
        where ledger.settings[number].device == image.device {
            ledger.excuse(setting: number)
        }
    }

    // MARK: - Keys

    /// From now on the server does not know the device's key; it joins again under another id.
    mutating func revoke(_ index: Int, _ choice: inout RandomSource) {
        guard !server.revoked.contains(devices[index].id) else { return }
        counts[.revoked] += 1
        server.revoked.insert(devices[index].id)
        breakStream(of: index, noticedAfter: choice.within(1_000_000...100_000_000))
        agenda.add(
            .joinedAgain(device: index), at: now + choice.within(1_000_000_000...90_000_000_000))
    }

    mutating func joinAgain(_ index: Int) {
        guard server.revoked.contains(devices[index].id) else { return }
        story.tell(now, "fault", "device \(index) joins again")
        let id = devices[index].id
        devices[index].id = DeviceID(high: id.high + 0x100, low: id.low)
        lastChange = now
        guard devices[index].replica != nil else { return }
        crashProgram(index, restartAfter: 1_000_000)
    }

    mutating func joinAllAgain() {
        for index in devices.indices { joinAgain(index) }
    }
}
