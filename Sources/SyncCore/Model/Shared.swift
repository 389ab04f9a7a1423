/// A large value whose copies share it until one of them is changed.
struct Shared<Value> {
    /// One element: an array knows when it is the only one to hold its storage.
    private var storage: [Value]

    init(_ value: Value) { storage = [value] }

    var value: Value {
        get { storage[0] }
        _modify { yield &storage[0] }
    }
}

extension Shared: Equatable where Value: Equatable {}
extension Shared: Hashable where Value: Hashable {}
extension Shared: Sendable where Value: Sendable {}
