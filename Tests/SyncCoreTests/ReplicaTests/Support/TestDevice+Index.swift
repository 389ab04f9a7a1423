import SyncCore
import Testing

extension TestDevice {
    /// What is persisted tells an index of every change: it has what one that is made now has.
    func expectIndex() {
        guard let index, let replica else { return }
        let now = replica.makeIndex()
        let ids = Set(index.ids).union(now.ids)
        for id in ids where index[id] != now[id] {
            let (kept, made) = (index[id].debugDescription, now[id].debugDescription)
            Issue.record("\(id): the index has \(kept), not \(made)")
        }
        // A listing shows what the index has.
        let listed = Set(replica.descendants(of: .top))
        for id in listed where now[id] == nil && replica.view(of: id) != nil {
            Issue.record("\(id) is listed and not in the index")
        }
    }
}
