/// The name of an account or of a device, as a person chose it.
///
/// It is compared by its bytes: 1 to 128 bytes of UTF-8, no control characters, no space at its
/// ends.
package struct PersonalName: Sendable, Hashable {
    package let text: String

    package init?(_ text: String) {
        let bytes = text.utf8
        guard (1...128).contains(bytes.count), bytes.first != 0x20, bytes.last != 0x20 else {
            return nil
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        self.text = text
    }
}
