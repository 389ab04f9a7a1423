public import Foundation
import SyncCore

// Apple's documentation of NSSortDescriptor. Foundation on Linux sorts by Swift key paths alone;
// here a key path carries the key.

extension NSSortDescriptor {
    /// Sorts by the value of a key, as predicates read it: texts, numbers, dates.
    ///
    /// Objects without a value come first; values of different kinds count as equal.
    public convenience init(key: String?, ascending: Bool) {
        self.init(
            keyPath: \NSObject.[sortKey: key], ascending: ascending, comparator: compareSortValues)
    }

    /// Sorts by the value of a key, in the order that the comparator gives.
    public convenience init(
        key: String?, ascending: Bool, comparator cmptr: @escaping Comparator
    ) {
        self.init(
            keyPath: \NSObject.[sortKey: key], ascending: ascending,
            comparator: { left, right in
                cmptr(SortValue.inside(left) ?? NSNull(), SortValue.inside(right) ?? NSNull())
            })
    }

    /// The key that the descriptor was made with; nil for one made with a key path.
    public var key: String? {
        let probe = SortProbe()
        _ = probe[keyPath: keyPath]
        return probe.key
    }
}

extension NSObject {
    /// The value of an object's key, wrapped for the comparator.
    fileprivate subscript(sortKey key: String?) -> SortValue {
        if let probe = self as? SortProbe {
            probe.key = key
            return SortValue(nil)
        }
        guard let key else { return SortValue(self) }
        return SortValue(PredicateObjects.read(self, key: key))
    }
}

/// Handed to a key path, it is given the path's key.
private final class SortProbe: NSObject {
    var key: String?
}

private final class SortValue: NSObject {
    private let value: Any?

    init(_ value: Any?) { self.value = value }

    static func inside(_ any: Any) -> Any? { (any as? SortValue)?.value }
}

private func compareSortValues(_ left: Any, _ right: Any) -> ComparisonResult {
    var objects = PredicateObjects()
    let (left, right) = (
        objects.value(of: SortValue.inside(left)), objects.value(of: SortValue.inside(right))
    )
    switch (left, right) {
    case (.null, .null): return .orderedSame
    case (.null, _): return .orderedAscending
    case (_, .null): return .orderedDescending
    case (.string(let one), .string(let other)): return order(one, other)
    case (.date(let one), .date(let other)): return order(one, other)
    default:
        guard let one = left.number, let other = right.number else { return .orderedSame }
        return order(one, other)
    }
}

private func order<Value: Comparable>(_ one: Value, _ other: Value) -> ComparisonResult {
    one < other ? .orderedAscending : one == other ? .orderedSame : .orderedDescending
}

/// By bytes, as predicates compare texts.
private func order(_ one: [UInt8], _ other: [UInt8]) -> ComparisonResult {
    if one == other { return .orderedSame }
    return one.lexicographicallyPrecedes(other) ? .orderedAscending : .orderedDescending
}

extension PredicateValue {
    fileprivate var number: Double? {
        switch self {
        case .bool(let flag): flag ? 1 : 0
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }
}
