public import Foundation

/// One value of an attribute, and how many results have it.
///
/// Follows Apple's documentation of NSMetadataQueryAttributeValueTuple.
open class NSMetadataQueryAttributeValueTuple: NSObject {
    /// The attribute.
    public let attribute: String
    /// The value; nil stands for the results that have none.
    public let value: Any?
    /// How many results have it.
    public let count: Int

    init(_ attribute: String, _ value: Any?, _ count: Int) {
        self.attribute = attribute
        self.value = value
        self.count = count
    }
}

/// The results that have one value of an attribute.
///
/// Follows Apple's documentation of NSMetadataQueryResultGroup.
open class NSMetadataQueryResultGroup: NSObject {
    /// The attribute.
    public let attribute: String
    /// The value; `NSNull` stands for the results that have none.
    public let value: Any
    /// The groups of the next grouping attribute within this one; nil in the last.
    public let subgroups: [NSMetadataQueryResultGroup]?
    /// The results, in the query's order.
    public let results: [Any]

    init(
        _ attribute: String, _ value: Any, _ subgroups: [NSMetadataQueryResultGroup]?,
        _ results: [Any]
    ) {
        self.attribute = attribute
        self.value = value
        self.subgroups = subgroups
        self.results = results
    }

    /// How many results are in the group.
    open var resultCount: Int { results.count }

    /// Gives one of the results.
    ///
    /// - Precondition: The index is below ``resultCount``.
    open func result(at idx: Int) -> Any { results[idx] }
}

extension NSMetadataQuery {
    /// The values that the results have of `valueListAttributes`, the most frequent first.
    public var valueLists: [String: [NSMetadataQueryAttributeValueTuple]] {
        let items = items
        return Dictionary(
            valueListAttributes.map { attribute in
                let tuples = grouped(items, by: attribute)
                    .map { NSMetadataQueryAttributeValueTuple(attribute, $0.value, $0.items.count) }
                return (attribute, tuples.sorted { $0.count > $1.count })
            }, uniquingKeysWith: { $1 })
    }

    /// The results by their values of the first of `groupingAttributes`, and so on within.
    public var groupedResults: [NSMetadataQueryResultGroup] {
        groups(items, by: (groupingAttributes ?? [])[...]) ?? []
    }

    private func groups(
        _ items: [NSMetadataItem], by attributes: ArraySlice<String>
    ) -> [NSMetadataQueryResultGroup]? {
        guard let attribute = attributes.first else { return nil }
        return grouped(items, by: attribute).map { group in
            NSMetadataQueryResultGroup(
                attribute, group.value ?? NSNull(),
                groups(group.items, by: attributes.dropFirst()), group.items.map(replaced))
        }
    }

    /// In the order of their first results.
    private func grouped(
        _ items: [NSMetadataItem], by attribute: String
    ) -> [(value: Any?, items: [NSMetadataItem])] {
        var places: [AnyHashable?: Int] = [:]
        var groups: [(value: Any?, items: [NSMetadataItem])] = []
        for item in items {
            let value = item.value(forAttribute: attribute)
            let key = value as? AnyHashable
            let place = places[key] ?? groups.count
            places[key] = place
            if place == groups.count { groups.append((value, [])) }
            groups[place].items.append(item)
        }
        return groups
    }
}
