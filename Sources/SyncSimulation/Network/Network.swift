import SyncCore
import SyncWire

/// The network between the devices and the server: it loses, doubles, delays, cuts and damages.
extension Simulation {
    mutating func sendToServer(_ message: Message, from index: Int) {
        guard devices[index].isLinkUp, !isLost() else { return }
        if isCut() { return cut(message, of: index) }
        deliver(damaged(message), from: index)
        if isDoubled() { deliver(message, from: index) }
    }

    private mutating func deliver(_ message: Message, from index: Int) {
        let arrival = now + travelTime()
        if arrival < devices[index].lastArrival { counts[.messageOvertaken] += 1 }
        devices[index].lastArrival = max(devices[index].lastArrival, arrival)
        agenda.add(.toServer(device: index, message), at: arrival)
    }

    mutating func sendToDevice(_ message: Message, _ index: Int) {
        guard devices[index].isLinkUp else { return }
        let life = devices[index].life
        if message.connection != nil { return sendInStream(message, index) }
        guard !isLost() else { return }
        if isCut() { return cut(message, of: index) }
        agenda.add(.toDevice(device: index, life: life, damaged(message)), at: now + travelTime())
    }

    /// A stream keeps the order; what it loses is lost with all that would follow.
    private mutating func sendInStream(_ message: Message, _ index: Int) {
        if isLost() {
            return breakStream(of: index, noticedAfter: random.within(1_000_000...60_000_000_000))
        }
        if isCut() {
            counts[.messageCut] += 1
            readBeginning(of: message)
            return breakStream(of: index, noticedAfter: random.within(1_000_000...100_000_000))
        }
        let arrival = max(server.streams[index]?.lastArrival ?? 0, now + travelTime())
        server.streams[index]?.lastArrival = arrival
        agenda.add(
            .toDevice(device: index, life: devices[index].life, message), at: arrival)
    }

    // MARK: - Mishaps

    private mutating func isLost() -> Bool {
        guard happens(weather.lost) else { return false }
        counts[.messageLost] += 1
        return true
    }

    private mutating func isDoubled() -> Bool {
        guard happens(weather.doubled) else { return false }
        counts[.messageDoubled] += 1
        return true
    }

    private mutating func isCut() -> Bool { happens(weather.cut) }

    private mutating func happens(_ share: Int) -> Bool {
        !isCalm && share > 0 && random.happens(perMille: share)
    }

    private mutating func travelTime() -> Int64 {
        guard happens(weather.slow) else { return random.within(100_000...3_000_000) }
        counts[.messageSlow] += 1
        return random.within(3_000_000...15_000_000_000)
    }

    /// The connection ends in the middle: the one who waits for an answer notices.
    private mutating func cut(_ message: Message, of index: Int) {
        counts[.messageCut] += 1
        readBeginning(of: message)
        let life = devices[index].life
        agenda.add(
            .cut(device: index, life: life, message), at: now + random.within(100_000...50_000_000))
    }

    /// Whoever gets half a message may make nothing of it, and must not fall over it.
    private mutating func readBeginning(of message: Message) {
        switch message {
        case .operations(_, let bytes): _ = try? OperationsMessage(message: beginning(of: bytes))
        case .answer(_, let bytes): _ = try? OperationsAnswer(message: beginning(of: bytes))
        case .pull(_, let bytes): _ = try? PullMessage(message: beginning(of: bytes))
        case .pulled(_, let bytes): _ = try? PullAnswer(message: beginning(of: bytes))
        case .push(_, let bytes): _ = try? PushMessage(message: beginning(of: bytes))
        case .fetchSnapshot(_, let bytes):
            _ = try? SnapshotRequest(message: beginning(of: bytes))
        case .fetchedSnapshot(_, let bytes):
            _ = try? AccountSnapshot(message: beginning(of: bytes))
        default: break
        }
    }

    private mutating func beginning(of bytes: [UInt8]) -> [UInt8] {
        Array(bytes.prefix(random.below(bytes.count)))
    }

    /// Contents travel by themselves, and one bit of them may change on the way.
    private mutating func damaged(_ message: Message) -> Message {
        guard weather.damaged > 0, !isCalm else { return message }
        switch message {
        case .upload(let ticket, let chunks):
            guard !chunks.isEmpty, happens(weather.damaged) else { return message }
            var chunks = chunks
            let place = random.below(chunks.count)
            chunks[place].bytes = flipped(chunks[place].bytes)
            return .upload(ticket: ticket, chunks)
        case .fetchedChunks(let ticket, let bytes?):
            guard happens(weather.damaged) else { return message }
            return .fetchedChunks(ticket: ticket, flipped(bytes))
        case .fetchedVersion(let ticket, let version?):
            guard case .inline(let bytes) = version.content, happens(weather.damaged) else {
                return message
            }
            let wrong = Version(
                id: version.id, parents: version.parents, nature: version.nature,
                facts: version.facts, content: .inline(flipped(bytes)))
            return .fetchedVersion(ticket: ticket, wrong)
        default: return message
        }
    }

    private mutating func flipped(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        counts[.contentDamaged] += 1
        var bytes = bytes
        bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
        return bytes
    }
}
