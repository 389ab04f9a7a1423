public import Foundation
import Synchronization

extension NSMetadataQuery {
    /// How many items were found.
    public var resultCount: Int { items.count }

    /// Gives one of the results, which is an `NSMetadataItem` or what the delegate puts in its
    /// place.
    ///
    /// - Precondition: The index is below ``resultCount``.
    public func result(at idx: Int) -> Any {
        let items = items
        precondition(items.indices.contains(idx), "no result \(idx): there are \(items.count)")
        return replaced(items[idx])
    }

    /// All results as they are now.
    public var results: [Any] { items.map(replaced) }

    /// The position of a result, `NSNotFound` if it is none.
    public func index(ofResult result: Any) -> Int {
        guard type(of: result) is AnyClass else { return NSNotFound }
        let object = result as AnyObject
        return items.firstIndex { item in
            item === object || (replaced(item) as AnyObject) === object
        } ?? NSNotFound
    }

    /// Calls the block for each result, while the results stay as they are.
    public func enumerateResults(_ block: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
        unsafe enumerateResults(options: [], using: block)
    }

    /// Calls the block for each result, in reverse if the options say so.
    public func enumerateResults(
        options opts: NSEnumerationOptions = [],
        using block: (Any, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        disableUpdates()
        defer { enableUpdates() }
        let numbered = Array(items.enumerated())
        var isStopped = ObjCBool(false)
        for (place, item) in opts.contains(.reverse) ? numbered.reversed() : numbered {
            unsafe block(replaced(item), place, &isStopped)
            if isStopped.boolValue { return }
        }
    }

    /// Gives a result's value of an attribute, nil if it has none.
    ///
    /// - Precondition: The index is below ``resultCount``.
    public func value(ofAttribute attrName: String, forResultAt idx: Int) -> Any? {
        let items = items
        precondition(items.indices.contains(idx), "no result \(idx): there are \(items.count)")
        guard let value = items[idx].value(forAttribute: attrName) else { return nil }
        return delegate?.metadataQuery(
            self, replacementValueForAttribute: attrName, value: value) ?? value
    }

    var items: [NSMetadataItem] { run.withLock { $0.results.order } }

    func replaced(_ item: NSMetadataItem) -> Any {
        delegate?.metadataQuery(self, replacementObjectForResultObject: item) ?? item
    }
}

/// Puts other objects and values in the place of a query's results.
///
/// Follows Apple's documentation of NSMetadataQueryDelegate; both functions may be left out.
public protocol NSMetadataQueryDelegate: NSObjectProtocol {
    /// Gives what a program shall see in the place of an item.
    func metadataQuery(
        _ query: NSMetadataQuery, replacementObjectForResultObject result: NSMetadataItem
    ) -> Any
    /// Gives what a program shall see in the place of an attribute's value.
    func metadataQuery(
        _ query: NSMetadataQuery, replacementValueForAttribute attrName: String,
        value attrValue: Any
    ) -> Any
}

extension NSMetadataQueryDelegate {
    /// Gives the item itself.
    public func metadataQuery(
        _ query: NSMetadataQuery, replacementObjectForResultObject result: NSMetadataItem
    ) -> Any { result }
    /// Gives the value itself.
    public func metadataQuery(
        _ query: NSMetadataQuery, replacementValueForAttribute attrName: String,
        value attrValue: Any
    ) -> Any { attrValue }
}
