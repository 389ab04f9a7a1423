import DeviceSocket
import SyncCore
import SyncWire

/// Items whose contents shall be here, or not here, until that is so on the disk.
struct Demand {
    let caller: Daemon.Caller
    let wanted: ItemResidence
    /// Of a folder all that is in it.
    let isFolder: Bool
    let count: Int
    /// The last one is looked at first.
    var open: [ItemID]
    /// What was not done, and why.
    var refused: [(path: [UInt8], reason: String)]
    let deadline: Instant
}

/// Files on demand.
extension Daemon {
    func setResidence(
        _ path: [UInt8], _ wanted: ItemResidence, _ caller: Caller, _ session: Session
    ) {
        guard let id = item(path, caller, session) else { return }
        if wanted == .unpinned { lookAtAllForRoom() }
        let isFolder = session.replica.view(of: id)?.kind == .folder
        var demand = Demand(
            caller: caller, wanted: wanted, isFolder: isFolder && id != .top, count: 1, open: [],
            refused: [],
            deadline: Clock.now().steady.advanced(milliseconds: 590_000))
        if demand.isFolder {
            demand = beginInFolder(id, demand, session)
        } else {
            begin(id, &demand, isAlone: true, session)
        }
        session.step()
        guard session.failure == nil else { return failWithoutState(caller) }
        if session.link.condition != .open, !demand.open.isEmpty, wanted != .atServer {
            return failWithoutServer(caller, "it is fetched as soon as the server can be reached")
        }
        demands.append(demand)
    }

    /// All that is in the folder now; a pin is the folder's, and holds for what comes into it.
    private func beginInFolder(_ folder: ItemID, _ demand: Demand, _ session: Session) -> Demand {
        let files = session.replica.descendants(of: folder).filter {
            session.replica.view(of: $0)?.kind == .file
        }
        var demand = Demand(
            caller: demand.caller, wanted: demand.wanted, isFolder: true, count: files.count,
            open: [], refused: [], deadline: demand.deadline)
        switch demand.wanted {
        case .pinned, .unpinned:
            session.feed(.command(.setResidence(folder, demand.wanted.residence)))
        case .here, .atServer: break
        }
        for file in files.sorted() {
            if demand.wanted == .pinned {
                // The folder's pin holds for it.
                guard session.replica.residence(of: file) == .evicted else { continue }
                session.feed(.command(.setResidence(file, .ordinary)))
                demand.open.append(file)
            } else if demand.wanted != .unpinned {
                begin(file, &demand, isAlone: false, session)
            }
        }
        return demand
    }

    private func begin(
        _ id: ItemID, _ demand: inout Demand, isAlone: Bool, _ session: Session
    ) {
        let replica = session.replica
        guard let view = replica.view(of: id) else { return }
        switch demand.wanted {
        case .atServer:
            guard let objection = objection(to: id, session) else { break }
            if objection != .alreadyEvicted {
                demand.refused.append((view.path.bytes, objection.reason))
            }
            return
        case .unpinned where replica.residence(of: id) != .pinned: return
        case .here where replica.residence(of: id) == .pinned: break
        case .here, .unpinned, .pinned:
            if view.kind == .link || view.kind == .package, demand.wanted == .pinned {
                demand.refused.append((view.path.bytes, "only files and folders are pinned"))
                return
            }
        }
        if demand.wanted != .here || replica.residence(of: id) != .pinned {
            session.feed(.command(.setResidence(id, demand.wanted.residence)))
        }
        demand.open.append(id)
    }

    private func objection(to id: ItemID, _ session: Session) -> EvictionObjection? {
        if let objection = session.replica.objectionToEviction(of: id) { return objection }
        guard let path = session.replica.path(of: id) else { return .unsynced }
        return session.disk.hasWriter(path) ? .beingWritten : nil
    }

    func settleDemands() {
        guard !demands.isEmpty, let session else { return }
        let now = Clock.now().steady
        for index in demands.indices { look(at: &demands[index], session) }
        for demand in demands
        where demand.open.isEmpty && !session.hasWork || demand.deadline <= now {
            demands.removeAll { $0.caller == demand.caller }
            answer(demand)
        }
    }

    private func look(at demand: inout Demand, _ session: Session) {
        while let id = demand.open.last {
            let replica = session.replica
            let path = replica.view(of: id)?.path.bytes ?? []
            if demand.wanted == .atServer, replica.residence(of: id) != .evicted {
                demand.refused.append((path, EvictionObjection.beingWritten.reason))
            } else if let view = replica.view(of: id), view.progress == .stuck {
                demand.refused.append((path, view.reason))
            } else if !replica.isSettledResidence(of: id) {
                return
            }
            demand.open.removeLast()
        }
    }

    private func answer(_ demand: Demand) {
        if let first = demand.refused.first {
            guard demand.isFolder else { return fail(demand.caller, .failed, first.reason) }
            let count = demand.refused.count
            let name = shown(home.containers + [0x2F] + first.path)
            let others = count > 1 ? " (and \(count - 1) more of \(demand.count))" : ""
            return fail(demand.caller, .failed, "\(name): \(first.reason)\(others)")
        }
        guard demand.open.isEmpty else {
            return fail(
                demand.caller, .failed,
                "\(demand.open.count) of \(demand.count) files are still on their way; "
                    + "`ubiquity status` says why")
        }
        reply(.done, to: demand.caller)
    }
}

extension EvictionObjection {
    /// For people: why, and what to do.
    var reason: String {
        switch self {
        case .kind(.folder): "a folder stays here; what is in it can be evicted"
        case .kind(.package): "a package stays here, as its members are not evicted one by one"
        case .kind: "only files can be evicted"
        case .alreadyEvicted: "it is evicted already"
        case .pinned: "it is pinned to this device; `ubiquity pin --off` ends that"
        case .unsynced: "the account does not have it as it is here; `ubiquity wait`, then again"
        case .inConflict: "it has several versions; settle the conflict first"
        case .beingWritten: "a program has it open or has just changed it; try again later"
        case .hasSeveralNames: "it has another name (a hard link), so no room would be free"
        case .nameNotPossible: "its name leaves no room for a placeholder's; rename it first"
        case .nameTaken: "something else has its placeholder's name; rename one of the two"
        }
    }
}
