/// The server's rules: what becomes of the operations that devices send.
///
/// It reads no clock and writes nothing. The server decides under the account's lock, from
/// committed state, commits the changes, and only then answers and pushes.
package struct Authority: Sendable {
    package let limits: AccountLimits
    let mutant: Mutant?

    package init(limits: AccountLimits = AccountLimits(), mutant: Mutant? = nil) {
        self.limits = limits
        self.mutant = mutant
    }

    /// Decides one request.
    ///
    /// Names and cycles are judged at the end of the request, so that two files can swap names;
    /// what is refused takes with it only what rests on it.
    package func decide<Reader: AccountReader>(
        _ request: OperationRequest, from sender: Sender, reading reader: Reader
    ) throws(Reader.Failure) -> Decision {
        if let cursor = request.cursor, try !holds(cursor, reading: reader) {
            return Decision(answer: .historyUnknown)
        }
        let record = try reader.incarnation(request.incarnation)
        if let record, record.device != sender.device {
            return Decision(answer: .otherIncarnationNeeded)
        }
        guard let first = request.operations.first?.operation.number else {
            return Decision(answer: .outcomes([]))
        }
        var last = record?.last ?? 0
        if mutant == .replayIsApplied, first > 0, first <= last { last = first - 1 }
        guard first > 0, first <= last + 1, request.isConsecutive else {
            return Decision(answer: .numberGap(last: last))
        }
        var replayed: [Outcome] = []
        for received in request.operations where received.operation.number <= last {
            if mutant == .numberAtMostLast {
                replayed.append(.accepted(number: try reader.position().number))
                continue
            }
            let stored = try reader.answer(request.incarnation, received.operation.number)
            guard let stored, stored.hash == received.hash || mutant == .knownNumberWithoutHash
            else {
                return Decision(answer: .otherIncarnationNeeded)
            }
            replayed.append(stored.outcome)
        }
        let fresh = Array(request.operations.dropFirst(replayed.count))
        return try decide(fresh, after: replayed, of: request.incarnation, from: sender, reader)
    }

    /// Decides again with more places refused until nothing clashes: each round refuses at least
    /// one more, so there are at most as many rounds as operations.
    private func decide<Reader: AccountReader>(
        _ fresh: [ReceivedOperation], after replayed: [Outcome], of incarnation: Incarnation,
        from sender: Sender, _ reader: Reader
    ) throws(Reader.Failure) -> Decision {
        guard !fresh.isEmpty else { return Decision(answer: .outcomes(replayed)) }
        var rulings: [Int: PlaceRuling] = [:]
        while true {
            var deliberation = Deliberation(
                reader: reader, sender: sender, incarnation: incarnation, limits: limits,
                mutant: mutant,
                rulings: rulings, position: try reader.position())
            for (index, received) in fresh.enumerated() {
                try deliberation.take(received, index: index)
            }
            let clashes = try deliberation.clashes()
            if clashes.isEmpty { return deliberation.decision(after: replayed) }
            let before = rulings
            for (index, ruling) in clashes { rulings[index] = ruling }
            // Nobody's request ends the server: what still clashes is not done at all.
            guard rulings == before else { continue }
            for index in clashes.keys { rulings[index] = .refused(.nameTaken) }
            if rulings == before { return Decision(answer: .otherIncarnationNeeded) }
        }
    }
}

/// Who sends a request, and when.
package struct Sender: Sendable {
    package let device: DeviceID
    /// The server's clock.
    package let now: WallTime
    /// The device's last request before this one, by the server's clock.
    package let lastContact: WallTime
    package let hash: HashFunction

    package init(
        device: DeviceID, now: WallTime, lastContact: WallTime, hash: @escaping HashFunction
    ) {
        self.device = device
        self.now = now
        self.lastContact = lastContact
        self.hash = hash
    }
}

/// What an account may hold; Apple's figures are the defaults for key-values.
package struct AccountLimits: Hashable, Sendable {
    /// Keys a store.
    package var keys: UInt64 = 1_024
    /// Bytes of all values of a store.
    package var values: UInt64 = 1_048_576
    /// Bytes of one value.
    package var value: UInt64 = 1_048_576
    /// UTF-16 units of a key; devices look at it, the server sees a tag.
    package var keyUnits = 128

    package init() {}
}

extension OperationRequest {
    var isConsecutive: Bool {
        zip(operations, operations.dropFirst()).allSatisfy { one, next in
            next.operation.number == one.operation.number + 1
        }
    }
}

/// What became of a place that could not be had as it was asked for.
enum PlaceRuling: Hashable, Sendable {
    case refused(Refusal)
    /// A created item whose name is held by the same kind.
    case joined(ItemID)
    case unplaced
}
