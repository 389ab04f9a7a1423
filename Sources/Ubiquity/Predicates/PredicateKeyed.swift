/// An object that predicates and sort descriptors can ask for its keys.
///
/// Swift on Linux has no key-value coding. Conform to this, or predicates read the object's stored
/// properties by their names.
public protocol PredicateKeyed {
    /// Gives the key's value, nil if there is none.
    func predicateValue(forKey key: String) -> Any?
}
