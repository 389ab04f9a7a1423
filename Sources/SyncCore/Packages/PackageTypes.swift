/// Which folders are one document, by the ending of their names, and which of them merge.
///
/// It decides for a folder that is new to the account; what an item is never changes.
package struct PackageTypes: Hashable, Sendable {
    /// A name's ending without its dot, in lower case.
    package struct Ending: Hashable, Sendable {
        package let bytes: [UInt8]

        /// Nil for what no name ends with: nothing, or something with a dot, slash or NUL in it.
        package init?(_ text: [UInt8]) {
            guard !text.isEmpty, text.count <= 32 else { return nil }
            guard !text.contains(0x2E), !text.contains(0x2F), !text.contains(0) else { return nil }
            bytes = text.map { lowered($0) }
        }
    }

    private var endings: Set<Ending>
    private var merging: Set<Ending>

    /// Those in `merging` merge member by member.
    package init(_ endings: [Ending], merging: [Ending]) {
        self.endings = Set(endings + merging)
        self.merging = Set(merging)
    }

    /// `.textbundle`, which merges, and `.rtfd`.
    package static let standard = PackageTypes(
        ["rtfd"].compactMap { Ending(Array($0.utf8)) },
        merging: ["textbundle"].compactMap { Ending(Array($0.utf8)) })

    /// These and others.
    package func adding(_ other: PackageTypes) -> PackageTypes {
        var all = self
        all.endings.formUnion(other.endings)
        all.merging.formUnion(other.merging)
        return all
    }

    /// Whether a new folder of the name is one document.
    package func contains(_ name: Name) -> Bool {
        guard let ending = ending(of: name.bytes) else { return false }
        return endings.contains(ending)
    }

    /// Whether packages of the name merge member by member.
    package func merges(_ name: Name) -> Bool {
        guard let ending = ending(of: name.bytes) else { return false }
        return merging.contains(ending)
    }

    /// What follows the last dot, if something is in front of it.
    private func ending(of name: [UInt8]) -> Ending? {
        guard let dot = name.lastIndex(of: 0x2E), dot > 0 else { return nil }
        return Ending(Array(name[(dot + 1)...]))
    }
}

/// Of ASCII letters: names are bytes, and endings are what programs write.
private func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 32 : byte }
