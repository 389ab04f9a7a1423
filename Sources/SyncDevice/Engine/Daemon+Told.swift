import SyncCore
import SyncWire

/// What people were told of an item's versions, before they choose among them.
extension Daemon {
    func noteTold(
        _ path: [UInt8], _ versions: [VersionID], _ caller: Caller, _ session: Session
    ) {
        guard let id = item(path, caller, session) else { return }
        session.feed(.command(.noteTold(id, versions)))
        session.step()
        reply(.done, to: caller)
    }

    /// A choice that would drop what nobody here knows; the refusal says what it is, and so the
    /// same choice can be made again.
    func refuseUntold(
        _ versions: [VersionID], of id: ItemID, isPerson: Bool = true, _ caller: Caller,
        _ session: Session
    ) {
        let authors = versions.compactMap { session.replica.description(of: $0, of: id)?.author }
        knowNames(of: authors, session) { [weak self] in
            guard let self, let session = self.session else { return }
            let list = versions.map { self.told($0, of: id, session) }.joined(separator: ", ")
            self.fail(
                caller, .stale,
                "nobody here has seen what this would replace: \(list); `ubiquity cat` shows it, "
                    + "and the same command given again replaces it")
            guard isPerson else { return }
            session.feed(.command(.noteTold(id, versions)))
            session.step()
        }
    }

    private func told(_ version: VersionID, of id: ItemID, _ session: Session) -> String {
        guard let known = session.replica.description(of: version, of: id) else {
            return "version \(version.text)"
        }
        let time = known.moment.map { ", " + ISOTime.text($0) } ?? ""
        return "version \(version.text) of \(name(of: known.author))\(time), "
            + "\(known.facts.size) bytes"
    }
}
