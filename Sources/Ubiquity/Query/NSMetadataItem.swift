public import Foundation
import Synchronization

/// A file, folder or package in iCloud, as a query finds it.
///
/// Follows Apple's documentation of NSMetadataItem. The item of a live query changes with what it
/// stands for, just before the query says so; after the query's end it stays as it is.
open class NSMetadataItem: NSObject, @unchecked Sendable {
    private let facts: Mutex<ItemFacts>

    init(_ facts: ItemFacts) {
        self.facts = Mutex(facts)
    }

    /// Looks up the item at a place in iCloud; nil if there is none.
    public init?(url: URL) {
        guard let facts = url.facts(.shared) else { return nil }
        self.facts = Mutex(facts)
    }

    var current: ItemFacts { facts.withLock { $0 } }

    func become(_ new: ItemFacts) { facts.withLock { $0 = new } }

    /// Gives an attribute's value, nil if the item has none.
    open func value(forAttribute key: String) -> Any? { current.value(key) }

    /// Gives the values of several attributes; those that the item has not are left out.
    open func values(forAttributes keys: [String]) -> [String: Any]? {
        let facts = current
        return Dictionary(
            keys.compactMap { key in facts.value(key).map { (key, $0) } }, uniquingKeysWith: { $1 })
    }

    /// The attributes that an item can have.
    open var attributes: [String] { ItemFacts.attributes }
}
