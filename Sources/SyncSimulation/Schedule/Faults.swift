import SyncCore

/// What breaks, and its end.
extension Simulation {
    mutating func cause(_ fault: Fault, on index: Int, _ salt: UInt64) {
        var choice = RandomSource(seed: salt)
        story.tell(now, "fault", "\(fault) on device \(index)")
        switch fault {
        case .processCrash:
            guard devices[index].replica != nil else { return }
            counts[.processCrash] += 1
            crashProgram(index, restartAfter: choice.within(1_000_000...8_000_000_000))
        case .crashAtAction:
            guard devices[index].replica != nil else { return }
            devices[index].actionsLeft = choice.below(8)
        case .powerLoss: losePower(index, &choice)
        case .saveAtInstall: devices[index].savesAtInstall += 1
        case .clockJump: jumpClock(of: index, &choice)
        case .serverClockJump: jumpServerClock(&choice)
        case .serverCrash: crashServer(restartAfter: choice.within(1_000_000...6_000_000_000))
        case .serverRestored: planRestore(&choice)
        case .deviceRestored: planImage(of: index, &choice)
        case .revoked: revoke(index, &choice)
        case .rootEmptied: emptyRoot(of: index, &choice)
        case .daysPass: sendAway(index, &choice)
        case .linkDown:
            guard devices[index].isLinkUp else { return }
            counts[.linkDown] += 1
            setLink(of: index, isUp: false)
            agenda.add(
                .linkUp(device: index), at: now + choice.within(50_000_000...60_000_000_000))
        case .streamBreak:
            guard devices[index].isConnected else { return }
            counts[.streamBreak] += 1
            breakStream(of: index, noticedAfter: choice.within(1_000_000...60_000_000_000))
        case .watcherOverflow:
            guard devices[index].replica != nil else { return }
            counts[.watcherOverflow] += 1
            devices[index].disk.notices.append(.overflow)
            noticeLater(index)
        case .diskFull:
            counts[.diskFull] += 1
            devices[index].disk.isFull = true
            agenda.add(
                .diskFreed(device: index), at: now + choice.within(10_000_000...20_000_000_000))
        }
    }

    /// Devices that are offline at first: what is there already when they join was made by people.
    mutating func joinLate() {
        for index in devices.indices where plan.joins[index] > 0 {
            counts[.lateJoin] += 1
            devices[index].isLinkUp = false
            agenda.add(.join(device: index), at: plan.joins[index])
        }
    }

    /// Whether the program dies here, between two actions.
    mutating func diesAtAction(_ index: Int) -> Bool {
        guard let left = devices[index].actionsLeft else { return false }
        devices[index].actionsLeft = left - 1
        guard left == 0 else { return false }
        counts[.crashAtAction] += 1
        story.tell(now, "fault", "the program of device \(index) dies between two actions")
        crashProgram(index, restartAfter: random.within(1_000_000...8_000_000_000))
        return true
    }

    private mutating func losePower(_ index: Int, _ choice: inout RandomSource) {
        counts[.powerLoss] += 1
        devices[index].boot += 1
        noteHalfSaved(on: index)
        devices[index].programs = [:]
        devices[index].closeDocuments()
        let delay = choice.within(1_000_000_000...15_000_000_000)
        if devices[index].replica != nil {
            crashProgram(index, restartAfter: delay)
        }
        let packages = standingPackages(of: index)
        for save in devices[index].disk.losePower(&choice) { ledger.note(powerLossOf: save) }
        // One that was half saved is no save of its own, but has lines of those before.
        for lost in packages.subtracting(standingPackages(of: index)) {
            ledger.note(deletionOf: lost)
        }
    }

    private func standingPackages(of index: Int) -> Set<[UInt8]> {
        let disk = devices[index].disk
        return Set(
            disk.allPaths().map { disk[$0.1] }.filter { $0.kind == .package }.map { $0.bytes })
    }

    /// A program that had moved the old file to its backup's name, and dies before the new one
    /// stands, has removed the document.
    mutating func noteHalfSaved(on index: Int) {
        ledger.note(halfSavedOn: index)
        for program in devices[index].programs.values {
            if case .save(let saving) = program.work, program.inode != nil {
                // It may have truncated the file that it had read.
                for token in saving.read { ledger.note(removalOf: token) }
            }
            guard let aside = program.aside, let inode = devices[index].disk.inode(at: aside) else {
                continue
            }
            ledger.note(deletionOf: devices[index].disk[inode].bytes)
            if let save = devices[index].disk[inode].save {
                ledger.excuse(save, .underTemporaryName)
            }
        }
    }

    mutating func setLink(of index: Int, isUp: Bool) {
        devices[index].isLinkUp = isUp
        guard !isUp else { return }
        var delay = random.within(1_000_000...60_000_000_000)
        if random.happens(perMille: 500) { delay = 1_000_000 }
        breakStream(of: index, noticedAfter: delay)
    }

    /// All links are up, all programs run: nothing stands in the way any more.
    mutating func heal() {
        noteUnavailable()
        putBackImages()
        joinAllAgain()
        for index in devices.indices { devices[index].savesAtInstall = 0 }
        story.tell(now, "fault", "everything is repaired")
        for index in devices.indices {
            setLink(of: index, isUp: true)
            mount(index)
            devices[index].disk.isFull = false
            devices[index].actionsLeft = nil
            let life = devices[index].life
            if devices[index].replica == nil {
                agenda.add(.start(device: index, life: life), at: now)
            }
        }
        startServer()
    }
}
