/// What an item is; it never changes.
package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    case file = 1
    case folder = 2
    /// A folder that is one document.
    case package = 3
    /// A symbolic link; its content is its target.
    case link = 4
}
