import SyncCore
import SyncWire

/// Why a file is as it is.
extension Daemon {
    func why(_ path: [UInt8], _ caller: Caller, _ session: Session) {
        guard let local = LocalPath(bytes: path) else {
            return fail(caller, .notFound, Daemon.noSuchFile)
        }
        if let id = session.replica.item(at: local), id != .top {
            return explain(id, path, caller, session)
        }
        if let package = session.replica.package(around: local) {
            return explain(partOf: package, local, caller, session)
        }
        guard let slot = session.replica.slot(of: local) else {
            return fail(caller, .notFound, Daemon.noSuchFile)
        }
        guard !session.replica.isInMissingRoot(slot.folder) else {
            let explanation = Explanation(
                path: path, code: "unavailable",
                sentences: [
                    "The container's folder is not there, is another one, or is empty.",
                    "Nothing in it is sent until it is back, or 'ubiquity confirm' says that it is "
                        + "meant.",
                ], item: nil, next: nil)
            return reply(.explanation(explanation), to: caller)
        }
        guard
            let entry = session.disk.look(
                slot, at: local, in: session.replica.identity(of: slot.folder))?.entry
        else { return fail(caller, .notFound, Daemon.noSuchFile) }
        reply(.explanation(explanation(of: slot, entry, path, session)), to: caller)
    }

    private func explain(_ id: ItemID, _ path: [UInt8], _ caller: Caller, _ session: Session) {
        guard let view = session.replica.view(of: id) else {
            return fail(caller, .notFound, Daemon.noSuchFile)
        }
        let replica = session.replica
        let heads = replica.heads(of: id)
        var sentences: [String] = []
        sentences.append("It is \(view.kind.text) and \(view.reason).")
        if view.problem == .rootUnavailable {
            sentences.append("'ubiquity confirm' says that the folder is as it should be.")
        } else if replica.isPlaceholder(id) {
            sentences.append("Its content is not on this disk, because somebody evicted it.")
        } else if let shown = replica.shown(of: id)?.version {
            sentences.append("The disk shows version \(shown.text).")
        } else {
            sentences.append("It is not on this disk yet.")
        }
        if let head = heads.first {
            sentences.append("The account's current version is \(head.text).")
        } else if view.problem == .lostByServer {
            sentences.append(
                "The account does not have it: removing what stands for it here ends this.")
        } else {
            sentences.append("The account does not have it yet.")
        }
        if heads.count > 1, !view.hasConflict {
            sentences.append("It has \(heads.count) versions that may merge: that is tried next.")
        } else if heads.count > 1 {
            sentences.append(
                "It has \(heads.count) versions that were made apart: run 'ubiquity conflicts'.")
        }
        if session.link.condition != .open, let problem = session.link.problem {
            sentences.append("The server cannot be used: \(problem).")
        }
        let next = Daemon.stuck(view, Clock.now()).next
        reply(
            .explanation(
                Explanation(
                    path: path, code: view.code, sentences: sentences, item: ItemRow(view),
                    next: next)), to: caller)
    }

    /// Something in a package, which is synced as one.
    private func explain(
        partOf package: ItemID, _ path: LocalPath, _ caller: Caller, _ session: Session
    ) {
        guard let view = session.replica.view(of: package),
            let slot = session.replica.slot(of: package),
            session.disk.isThere(path)
        else { return fail(caller, .notFound, Daemon.noSuchFile) }
        let names = path.names.dropFirst(view.path.names.count)
        let isIgnored = names.contains { IgnoredNames.contains($0) }
        let sentence =
            isIgnored
            ? "Names like this are programs' temporary files: it stays on this device, unsent."
            : "It is a part of the package \(slot.name.text), which is synced as one, and which is "
                + "\(view.reason)."
        reply(
            .explanation(
                Explanation(
                    path: path.bytes, code: isIgnored ? "ignored" : view.code,
                    sentences: [sentence], item: isIgnored ? nil : ItemRow(view), next: nil)),
            to: caller)
    }

    /// Something on the disk that is no item.
    private func explanation(
        of slot: Slot, _ entry: DiskEntry, _ path: [UInt8], _ session: Session
    ) -> Explanation {
        let code: String
        let sentence: String
        if IgnoredNames.contains(slot.name) {
            code = "ignored"
            sentence =
                "Names like this are programs' temporary files: it stays on this device, unsent."
        } else if entry.kind == .other {
            code = "kind"
            sentence = "FIFOs, sockets and devices stay on this device and are not sent."
        } else if slot.folder == .top {
            code = "ignored"
            sentence = "Only folders are containers: a file beside them is not sent."
        } else {
            code = "reading"
            sentence = "It was just seen and is being read, or a program is writing it."
        }
        return Explanation(path: path, code: code, sentences: [sentence], item: nil, next: nil)
    }
}

extension Kind {
    /// With its article.
    var text: String {
        switch self {
        case .file: "a file"
        case .folder: "a folder"
        case .package: "a package"
        case .link: "a symbolic link"
        }
    }
}
