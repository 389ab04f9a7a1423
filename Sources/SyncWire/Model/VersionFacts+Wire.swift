import SyncCore

extension ByteWriter {
    /// The same layout that is sealed into a version.
    mutating func field(_ number: UInt64, facts: VersionFacts) {
        field(number, facts.bytes)
    }
}

extension WireField {
    func facts() throws(WireError) -> VersionFacts {
        guard let facts = VersionFacts(bytes: try bytes()) else { throw wrongBytes }
        return facts
    }
}
