public import Foundation

extension NSUbiquitousKeyValueStore {
    /// Gives the key's text, nil if its value is none.
    public func string(forKey aKey: String) -> String? { object(forKey: aKey) as? String }

    /// Gives the key's array, nil if its value is none.
    public func array(forKey aKey: String) -> [Any]? { object(forKey: aKey) as? [Any] }

    /// Gives the key's dictionary, nil if its value is none.
    public func dictionary(forKey aKey: String) -> [String: Any]? {
        object(forKey: aKey) as? [String: Any]
    }

    /// Gives the key's data, nil if its value is none.
    public func data(forKey aKey: String) -> Data? { object(forKey: aKey) as? Data }

    /// Gives the key's number, 0 if its value is none.
    public func longLong(forKey aKey: String) -> Int64 { number(aKey)?.int64Value ?? 0 }

    /// Gives the key's number, 0 if its value is none.
    public func double(forKey aKey: String) -> Double { number(aKey)?.doubleValue ?? 0 }

    /// Whether the key's number is another than 0; false if its value is no number.
    public func bool(forKey aKey: String) -> Bool { number(aKey)?.boolValue ?? false }

    private func number(_ key: String) -> NSNumber? { object(forKey: key) as? NSNumber }

    /// Sets the key's value to a text; nil removes the key.
    public func set(_ aString: String?, forKey aKey: String) { set(aString as Any?, forKey: aKey) }

    /// Sets the key's value to data; nil removes the key.
    public func set(_ aData: Data?, forKey aKey: String) { set(aData as Any?, forKey: aKey) }

    /// Sets the key's value to an array of property list values; nil removes the key.
    public func set(_ anArray: [Any]?, forKey aKey: String) { set(anArray as Any?, forKey: aKey) }

    /// Sets the key's value to a dictionary of property list values; nil removes the key.
    public func set(_ aDictionary: [String: Any]?, forKey aKey: String) {
        set(aDictionary as Any?, forKey: aKey)
    }

    /// Sets the key's value to a number.
    public func set(_ value: Int64, forKey aKey: String) { set(value as Any?, forKey: aKey) }

    /// Sets the key's value to a number.
    public func set(_ value: Double, forKey aKey: String) { set(value as Any?, forKey: aKey) }

    /// Sets the key's value to true or false.
    public func set(_ value: Bool, forKey aKey: String) { set(value as Any?, forKey: aKey) }
}
