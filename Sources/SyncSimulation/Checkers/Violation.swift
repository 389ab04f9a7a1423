/// A promise that was broken.
package struct Violation: Hashable, Sendable {
    /// The checker's name.
    package let promise: String
    package let text: String

    package init(promise: String, text: String) {
        self.promise = promise
        self.text = text
    }
}
